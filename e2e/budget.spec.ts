import { gzipSync } from 'node:zlib';
import { expect, test } from './trader.ts';

/** Compressed JavaScript that a page asks for before anything else, in KiB. */
const BUDGETS_KIB = { list: 150, market: 190, other: 200 };

test('pages stay within their JavaScript budgets', async ({ trader, request }) => {
  const firstLoadKib = async (path: string): Promise<number> => {
    const html = await (await request.get(path)).text();
    const scripts = [...html.matchAll(/<script[^>]*src="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => !/nomodule/i.test(tag))
      .map(([, source = '']) => source.replaceAll('&amp;', '&'));
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

/** How much of what is on the screen may move by itself while a page loads and lives. */
const MOST_SHIFT = 0.02;

test('nothing jumps while pages load and prices move', { tag: '@phone' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(3);
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
  for (const path of ['/', `/markets/${market.ticker}`, `/events/${market.eventTicker}`]) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    const moved = await page.evaluate(
      () => (window as unknown as { shifts: { sum: number } }).shifts.sum,
    );
    expect(moved, path).toBeLessThanOrEqual(MOST_SHIFT);
  }
});
