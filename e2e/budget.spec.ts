import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { expect, expectHydrated, test } from './trader.ts';

/** Compressed JavaScript that a page asks for before anything else, in KiB. */
const BUDGETS_KIB = { list: 150, market: 190, other: 200 };

test('pages stay within their JavaScript budgets', async ({ trader, request }) => {
  const firstLoadKib = async (path: string): Promise<number> => {
    const html = await (await request.get(path)).text();
    const scripts = [...html.matchAll(/<script[^>]*src="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => !/nomodule/i.test(tag))
      .map(([, source = '']) => source.replaceAll('&amp;', '&'));
    expect(scripts.length, path).toBeGreaterThan(5);
    let bytes = 0;
    for (const source of new Set(scripts)) {
      bytes += gzipSync(await (await request.get(source)).body(), { level: 9 }).length;
    }
    return bytes / 1024;
  };
  const market = await trader.findMarket(0);
  expect(await firstLoadKib('/')).toBeLessThanOrEqual(BUDGETS_KIB.list);
  expect(await firstLoadKib(`/markets/${market.ticker}`)).toBeLessThanOrEqual(BUDGETS_KIB.market);
  const others = ['/portfolio', '/orders', '/activity', '/withdraw', '/developers/webhooks'];
  for (const path of [`/events/${market.eventTicker}`, ...others]) {
    expect(await firstLoadKib(path), path).toBeLessThanOrEqual(BUDGETS_KIB.other);
  }
});

/** The maximum layout shift while a page loads and updates. */
const MOST_SHIFT = 0.02;
/** The same where the browser loads what only it knows. */
const MOST_SHIFT_OWN = 0.05;

test('no layout shift while pages load and prices move', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(3);
  await watchShifts(page);
  for (const path of ['/', `/markets/${market.ticker}`, `/events/${market.eventTicker}`]) {
    await page.goto(path);
    await expectHydrated(page);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await shiftOf(page), path).toBeLessThanOrEqual(MOST_SHIFT);
  }
  for (const path of ['/?view=table', '/search?query=rate', '/orders', '/status', '/watchlist']) {
    await page.goto(path);
    await expectHydrated(page);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await shiftOf(page), path).toBeLessThanOrEqual(MOST_SHIFT_OWN);
  }
});

test('no layout shift on the pages of a returning trader', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  test.slow();
  await trader.arrive();
  const { ticker } = await trader.findMarket(5);
  await trader.buyDirectly(ticker, '2');
  await trader.buyDirectly((await trader.findMarket(6)).ticker, '1');
  await watchShifts(page);
  await page.goto('/portfolio');
  await expect(page.getByTestId('portfolio-cash')).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  expect(await shiftOf(page)).toBeLessThanOrEqual(MOST_SHIFT);
  for (const path of [
    '/orders',
    '/activity',
    '/deposit',
    '/withdraw',
    '/account',
    '/watchlist',
    '/status',
    '/terms',
    '/developers/keys',
    '/developers/webhooks',
  ]) {
    await page.goto(path);
    await expect(page.getByTestId('header-cash')).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await shiftOf(page), path).toBeLessThanOrEqual(MOST_SHIFT_OWN);
  }
});

test('a returning trader sees no connect prompt while the page loads', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.route('**/_next/static/chunks/**.js', (route) => route.abort());
  await page.goto('/portfolio');
  const prompt = page.getByRole('heading', { name: 'Connect a wallet to see your portfolio' });
  await expect(prompt).toBeVisible();
  await page.unrouteAll();
  await trader.arrive();
  await page.route('**/_next/static/chunks/**.js', (route) => route.abort());
  await page.goto('/portfolio');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(prompt).toBeHidden();
});

/** Sums up the layout shift from the next page on. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) shifts.sum += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
}
