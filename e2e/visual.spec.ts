import type { Page } from 'playwright/test';
import { expect, test } from './trader.ts';

/**
 * How pages look, kept as pictures where nothing on them lives, and as their layout where prices
 * and markets do: what stands where and how wide, which no price changes. A new look is taken over
 * by `npx playwright test e2e/visual.spec.ts --update-snapshots`.
 */

/** Browsers and systems draw letters a little differently; a changed design is far beyond this. */
const LIKE = { maxDiffPixelRatio: 0.03, threshold: 0.25, animations: 'disabled' } as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} theme,`, { tag: '@phone' }, () => {
    test.use({ colorScheme });

    test('the components look as they did', async ({ page }) => {
      await page.goto('/developers/components');
      const sections = page.getByRole('main').locator('section:has(> h2)');
      await expect(sections).toHaveCount(3);
      await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
      for (const [index, name] of ['tokens', 'controls', 'markets'].entries()) {
        await expect(sections.nth(index)).toHaveScreenshot(`${name}-${colorScheme}.png`, LIKE);
      }
    });

    test('pages without markets look as they did', async ({ page }) => {
      await page.goto('/portfolio');
      await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
      await expect(page).toHaveScreenshot(`connect-${colorScheme}.png`, LIKE);
      await page.goto('/nowhere');
      await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
      await expect(page).toHaveScreenshot(`nowhere-${colorScheme}.png`, LIKE);
    });
  });
}

/**
 * Left edge and width, in steps of 4 pixels, of what a page is made of, each kind of place once:
 * how many cards there are, and how high, follows from the markets of the day.
 */
async function layoutOf(page: Page): Promise<string> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  const places = await page.evaluate(() => {
    const parts =
      'header, main, main > *, main > * > :not(a), main h1, main aside, main table, footer, body > nav';
    return [...document.querySelectorAll(parts)].flatMap((element) => {
      const { left, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0) return [];
      const place = [left, width].map((value) => Math.round(value / 4) * 4).join(' ');
      return [`${element.tagName.toLowerCase()} ${place}`];
    });
  });
  return `${[...new Set(places)].join('\n')}\n`;
}

test('pages with markets keep their layout', { tag: '@phone' }, async ({ trader, page }) => {
  const market = await trader.findMarket(0);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '2');
  const paths = {
    list: '/?category=Crypto',
    table: '/?category=Crypto&view=table',
    market: `/markets/${market.ticker}`,
    portfolio: '/portfolio',
    orders: '/orders',
    account: '/account',
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    if (name === 'portfolio') await expect(page.getByRole('row', { name: /Yes/ })).toBeVisible();
    expect(await layoutOf(page), path).toMatchSnapshot(`${name}.txt`);
  }
});
