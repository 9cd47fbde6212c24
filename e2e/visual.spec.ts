import type { Page } from 'playwright/test';
import { expect, expectHydrated, test } from './trader.ts';

/**
 * The appearance of pages: pictures of those without live data, and positions of elements on those
 * with markets, which prices do not change. `--update-snapshots` accepts a new appearance.
 */

/** Browsers and systems render text slightly differently; a changed design differs much more. */
const LIKE = { maxDiffPixelRatio: 0.03, threshold: 0.25, animations: 'disabled' } as const;

async function expectComponents(page: Page, theme: string): Promise<void> {
  await page.goto('/developers/components');
  const sections = page.getByRole('main').locator('section:has(> h2)');
  await expect(sections).toHaveCount(3);
  await expectHydrated(page);
  for (const [index, name] of ['tokens', 'controls', 'markets'].entries()) {
    await expect(sections.nth(index)).toHaveScreenshot(`${name}-${theme}.png`, LIKE);
  }
}

async function expectPages(page: Page, theme: string): Promise<void> {
  for (const [name, path] of Object.entries({ connect: '/portfolio', nowhere: '/nowhere' })) {
    await page.goto(path);
    // The user menu is rendered last.
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
    await expect(page).toHaveScreenshot(`${name}-${theme}.png`, LIKE);
  }
}

test.describe('light theme,', { tag: '@phone-long' }, () => {
  test.use({ colorScheme: 'light' });
  test('the components look as they did', ({ page }) => expectComponents(page, 'light'));
  test('pages without markets look as they did', ({ page }) => expectPages(page, 'light'));
});

test.describe('dark theme,', () => {
  test.use({ colorScheme: 'dark' });
  test('the components look as they did', ({ page }) => expectComponents(page, 'dark'));
  test('pages without markets look as they did', { tag: '@long' }, ({ page }) =>
    expectPages(page, 'dark'),
  );
});

/** The position of the first match, in whole pixels. */
async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  const { x, y, width, height } = box;
  return { left: Math.round(x), right: Math.round(x + width), top: y, bottom: y + height };
}

test('the layout of pages with markets is correct', { tag: '@phone' }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(0);
  const width = page.viewportSize()?.width ?? 0;
  const margin = isMobile ? 16 : (width - 1_200) / 2 + 24;
  for (const path of ['/', '/?view=table', `/markets/${market.ticker}`, '/activity']) {
    await page.goto(path);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    const header = await boxOf(page, 'body > header > div > a');
    const title = await boxOf(page, 'main h1:not(.sr-only), main .sheet');
    expect(header.left, path).toBe(margin);
    expect(title.left, path).toBe(margin);
    expect(title.top, path).toBeGreaterThanOrEqual(60);
  }
  await page.goto(`/markets/${market.ticker}`);
  const column = await boxOf(page, 'main h1');
  if (isMobile) {
    const bar = await boxOf(page, 'button:text-matches("^Buy Yes")');
    const navigation = await boxOf(page, 'body > nav');
    expect(bar.bottom).toBeLessThanOrEqual(navigation.top);
    expect(navigation.bottom).toBeLessThanOrEqual((page.viewportSize()?.height ?? 0) + 1);
  } else {
    const ticket = await boxOf(page, 'main aside dialog');
    expect(ticket.right - ticket.left).toBe(360);
    expect(ticket.right).toBe(width - margin);
    expect(column.right).toBeLessThan(ticket.left);
  }
});
