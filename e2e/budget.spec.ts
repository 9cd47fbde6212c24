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
  for (const path of [`/events/${market.eventTicker}`, '/portfolio', '/orders', '/withdraw']) {
    expect(await firstLoadKib(path), path).toBeLessThanOrEqual(BUDGETS_KIB.other);
  }
});
