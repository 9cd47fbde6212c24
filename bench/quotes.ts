import { createClient } from '#lib/api/client.ts';
import { startChild } from './harness/child.ts';
import { compareLoads, openLoad } from './harness/load.ts';
import { loadMeasures } from './harness/loadMeasures.ts';
import { ROUND_MS, ROUNDS } from './harness/options.ts';
import { makeKeys, withService } from './harness/service.ts';
import type { BookSettings } from './load/bookServer.ts';
import { report } from './report.ts';

/**
 * Quotes of one market to 64 callers, against a bare server that walks the same book, which it
 * holds in memory. Ours reads market and book from the exchange; concurrent callers share one read.
 */
const CONNECTIONS = 64;

await withService(async (service) => {
  const client = createClient(service);
  const { markets } = await client.listMarkets({ limit: 200, status: 'open' });
  const market = markets.find((one) => one.yesAsk < 90 && one.yesBid > 10);
  if (!market) throw new Error('the sandbox has no open market with a two-sided book');
  const book = await client.getOrderBook(market.ticker);
  const path = `/v1/prediction-market/markets/${market.ticker}/quote`;
  const bare = await startChild<number>('load/bookServer.ts', {
    path,
    bids: book.noBids.map(({ priceDollars, contracts }) => ({
      price: String(Math.round(Number(priceDollars) * 1e6)),
      contracts: String(Math.round(contracts * 1e6)),
    })),
  } satisfies BookSettings);
  const keys = await makeKeys(service.database, CONNECTIONS);
  const load = (url: string, serverPid: number) =>
    openLoad({
      baseUrl: url,
      connections: CONNECTIONS,
      serverPid,
      requestsOf: (connection) => [
        {
          path: `${path}?side=yes&action=buy&contracts=25`,
          headers: { 'x-api-key': keys[connection] ?? '' },
        },
      ],
    });
  const ours = await load(service.baseUrl, service.webPid);
  const baseline = await load(`http://127.0.0.1:${bare.ready}`, bare.pid);
  const found = await compareLoads({ ours, baseline }, { rounds: ROUNDS, roundMs: ROUND_MS });
  report(
    `Quotes over ${book.noBids.length} levels, ${CONNECTIONS} connections (baseline: a bare server walking the same book)`,
    loadMeasures(found, { what: 'quote', atLeast: 0.5 }),
  );
  await Promise.all([ours.stop(), baseline.stop(), bare.stop()]);
});
