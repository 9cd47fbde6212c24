import type { Page } from 'playwright/test';
import { expect } from './trader.ts';

/** Each term of the shown permission can be read before it is signed: nothing is on top of it. */
export async function expectTermsUncovered(page: Page): Promise<void> {
  const terms = page.getByRole('region', { name: 'Trading permission' }).getByRole('listitem');
  await expect(terms).toHaveCount(3);
  for (const term of await terms.all()) {
    await term.scrollIntoViewIfNeeded();
    const isUncovered = await term.evaluate((element) => {
      const { left, top, bottom } = element.getBoundingClientRect();
      const isOnTop = (y: number) => element.contains(document.elementFromPoint(left + 8, y));
      return isOnTop(top + 4) && isOnTop(bottom - 4);
    });
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    expect(isUncovered, `${await term.textContent()} at ${width} × ${height}`).toBe(true);
  }
}
