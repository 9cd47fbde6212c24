import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { createClient } from '#lib/api/client.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { createTrader, fetchToken, findLiquidMarket } from '#sandbox/testing/trader.ts';
import { TABLE_RIGHTS } from '#server/platform/database/roles/grants.ts';

/** Of its own, so that nothing else stores anything meanwhile. */
const stack = ownTestStack('reads');

/** Counters of callers, and what others write beside. */
const MOVES_BY_ITSELF =
  /^(rate_limits|api_key_usage|chain_operations|price_points|notification_.*)$/;

/** The web server's role can insert into no other table; the processor follows what it stores. */
const STORED = Object.entries(TABLE_RIGHTS)
  .filter(([name, { web }]) => web.includes('a') && !MOVES_BY_ITSELF.test(name))
  .map(([name]) => name)
  .concat('usdc_accounts');

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of STORED) {
    const [found] = await stack.query<{ n: number }>(`select count(*)::int as n from "${name}"`);
    counts[name] = found?.n ?? -1;
  }
  return counts;
}

const EXAMPLES: Record<string, string> = {
  side: 'yes',
  contracts: '1',
  query: 'a',
  range: '1d',
  name: 'alice.test',
};

function exampleOf(name: string, ticker: string): string {
  if (/address/i.test(name)) return privateKeyToAccount(generatePrivateKey()).address;
  return /^(ticker|marketId)$/.test(name) ? ticker : (EXAMPLES[name] ?? crypto.randomUUID());
}

type Described = { get?: { parameters?: { name: string; in: string }[] } };

it('no GET stores anything, for any address', async () => {
  const { baseUrl, apiKey } = stack.description();
  const trader = await createTrader(stack.description());
  const token = await fetchToken(createClient({ baseUrl, apiKey }), trader.wallet);
  const ticker = await findLiquidMarket(trader);
  const isFollowed = async () => (await countRows()).usdc_accounts === 1 || undefined;
  expect(await pollUntil(isFollowed, { everyMs: 250 })).toBe(true);
  const described = await (await fetch(`${baseUrl}/v1/openapi.json`)).json();
  const { paths } = described as { paths: Record<string, Described> };
  const before = await countRows();
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['accounts', 'orders', 'usdc_accounts', 'sign_in_nonces', 'sessions']),
  );
  let asked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    // A stream has no end.
    if (!get || path === '/v1/stream') continue;
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name, ticker));
    const named = (get.parameters ?? []).filter(
      (one) => one.in === 'query' && (/address/i.test(one.name) || one.name in EXAMPLES),
    );
    const query = new URLSearchParams(named.map(({ name }) => [name, exampleOf(name, ticker)]));
    const bearers: Record<string, string>[] = [{}, { authorization: `Bearer ${token}` }];
    for (const bearer of bearers) {
      const response = await fetch(`${baseUrl}${target}?${query}`, {
        headers: { 'x-api-key': apiKey, ...bearer },
      });
      const text = await response.text();
      expect(response.status, `${target}?${query}: ${text}`).toBeLessThan(500);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(60);
  expect(await countRows()).toEqual(before);
});
