import type { Portfolio } from '#lib/api/schemas/portfolio.ts';
import { environmentOf } from '#sandbox/process/siblings.ts';
import { startChild } from './harness/child.ts';
import { compareLoads, openLoad } from './harness/load.ts';
import { loadMeasures } from './harness/loadMeasures.ts';
import { isQuick, ROUND_MS, ROUNDS } from './harness/options.ts';
import { storePositions } from './harness/positions.ts';
import { makeKeys, withService } from './harness/service.ts';
import type { PortfolioServerSettings } from './load/portfolioServer.ts';
import { report } from './report.ts';

/**
 * Portfolios of many wallets, which are read from PostgreSQL and the chain each time, against
 * Fastify with node-postgres and viem: the same statements and one call of the chain, their rows
 * as the response. Both use ten connections to the same database and the same node.
 */
const CONNECTIONS = 64;
const ACCOUNTS = isQuick ? 640 : 3_200;
const POSITIONS = 4;

await withService(async ({ baseUrl, webPid, database, databaseUrl, apiKey }) => {
  const environment = environmentOf(webPid);
  const chain = {
    rpcUrl: environment.CHAIN_RPC_URL ?? '',
    outcomeToken: (environment.OUTCOME_TOKEN_ADDRESS ?? '0x') as `0x${string}`,
  };
  const keys = await makeKeys(database, CONNECTIONS);
  const { owners } = await storePositions(database, {
    accounts: ACCOUNTS,
    each: POSITIONS,
    ...chain,
  });
  const pathOf = (owner: string) => `/v1/tokens/portfolio/${owner}`;
  const first = await fetch(`${baseUrl}${pathOf(owners[0] ?? '')}`, {
    headers: { 'x-api-key': apiKey },
  });
  const shown = (await first.json()) as Portfolio;
  if (shown.length !== POSITIONS) throw new Error(`${shown.length} positions are shown`);
  const bare = await startChild<number>('load/portfolioServer.ts', {
    databaseUrl,
    ...chain,
    swapVault: (environment.SWAP_VAULT_ADDRESS ?? '0x') as `0x${string}`,
  } satisfies PortfolioServerSettings);
  const each = ACCOUNTS / CONNECTIONS;
  const load = (url: string, serverPid: number) =>
    openLoad({
      baseUrl: url,
      connections: CONNECTIONS,
      serverPid,
      requestsOf: (connection) =>
        owners.slice(connection * each, (connection + 1) * each).map((owner) => ({
          path: pathOf(owner),
          headers: { 'x-api-key': keys[connection] ?? '' },
        })),
    });
  const ours = await load(baseUrl, webPid);
  const baseline = await load(`http://127.0.0.1:${bare.ready}`, bare.pid);
  const found = await compareLoads({ ours, baseline }, { rounds: ROUNDS, roundMs: ROUND_MS });
  report(
    `Portfolios of ${ACCOUNTS.toLocaleString('en-US')} wallets with ${POSITIONS} positions, ${CONNECTIONS} connections (baseline: Fastify, node-postgres and viem, the same statements and call)`,
    loadMeasures(found, { what: 'request', atLeast: 1 }),
  );
  await Promise.all([ours.stop(), baseline.stop(), bare.stop()]);
});
