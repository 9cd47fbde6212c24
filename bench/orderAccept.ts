import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createClient } from '#lib/api/client.ts';
import { fetchToken, giveGrant, orderBody, signIn, WIDE_LIMITS } from '#sandbox/testing/trader.ts';
import { isQuick } from './harness/options.ts';
import { withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * How long until an order is durably accepted: from POST to the response, in sequence, against one
 * indexed insert with its commit over one connection. The two alternate.
 */
const ORDERS = isQuick ? 60 : 400;

await withService(async (service) => {
  const sandbox = service.description();
  const trader = await signIn(sandbox);
  await giveGrant(trader.api, trader.wallet, WIDE_LIMITS);
  await trader.api.requestFunds(trader.wallet.address);
  const token = await fetchToken(createClient(service), trader.wallet);
  const { markets } = await trader.api.listMarkets({ limit: 200, status: 'open' });
  const market = markets.find((one) => one.yesAsk < 90 && one.yesBid > 10);
  if (!market) throw new Error('the sandbox has no open market with a two-sided book');
  const headers = {
    'x-api-key': service.apiKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const body = () =>
    JSON.stringify(
      orderBody(sandbox, trader, {
        direction: 'BUY',
        ticker: market.ticker,
        side: 'yes',
        contracts: '0.01',
        quoteLimit: '0.0099',
        clientId: randomUUID(),
      }),
    );
  const connection = new pg.Client(service.databaseUrl);
  await connection.connect();
  await connection.query(
    'create table bench_inserts (id uuid primary key, account text not null, at timestamptz not null, body json not null); create index on bench_inserts (account, at)',
  );
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let index = 0; index < ORDERS; index += 1) {
    const order = body();
    let begun = performance.now();
    const response = await fetch(`${service.baseUrl}/v1/order`, {
      method: 'POST',
      headers,
      body: order,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`an order got the response ${response.status}`);
    ours.push(performance.now() - begun);
    begun = performance.now();
    await connection.query('insert into bench_inserts values ($1, $2, now(), $3)', [
      randomUUID(),
      trader.account,
      order,
    ]);
    baseline.push(performance.now() - begun);
  }
  await connection.end();
  const settled = (samples: number[]) => samples.slice(Math.floor(ORDERS / 5));
  const at = (share: number) => ({
    ours: percentile(settled(ours), share),
    baseline: percentile(settled(baseline), share),
    unit: 'ms',
  });
  report('Accepting an order, POST to response (baseline: one indexed insert with commit)', [
    { name: 'half are faster than', ...at(0.5), atMost: 5 },
    { name: '95 of 100 are faster than', ...at(0.95) },
  ]);
});
