import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { startChild } from './harness/child.ts';
import { compareLoads, openLoad } from './harness/load.ts';
import { loadMeasures } from './harness/loadMeasures.ts';
import { isQuick, ROUND_MS, ROUNDS } from './harness/options.ts';
import { makeKeys, withService } from './harness/service.ts';
import type { FastifyRoutes } from './load/fastifyServer.ts';
import { report } from './report.ts';

/**
 * Orders by their ids, which are always read from PostgreSQL, against Fastify and node-postgres
 * with one statement for the same row and log. Both use ten connections to the same database.
 */
/** What the service's own statement comes down to for one order. */
const ORDER_WITH_LOG_SQL = `select o.*, (
    select coalesce(json_agg(json_build_object('type', e.type, 'at', e.at, 'detail', e.detail,
      'transactionHash', e.transaction_hash) order by e.sequence), '[]'::json)
    from order_events e where e.order_id = o.id) as events
  from orders o where o.id = $1`;

const CONNECTIONS = 64;
const ORDERS = isQuick ? 10_000 : 100_000;
const ASKED_BY_ONE = 200;

await withService(async ({ baseUrl, webPid, database, databaseUrl }) => {
  const keys = await makeKeys(database, CONNECTIONS);
  const ids = await database.pool.query<{ id: string }>(
    `select id from api_keys where name like 'bench %' order by created_at, length(name), name`,
  );
  const each = Math.floor(ORDERS / CONNECTIONS);
  for (const [index, { id }] of ids.rows.entries()) {
    const range = { from: index * each + 1, to: (index + 1) * each };
    await storeOrders(database, { ...range, apiKeyId: id, accounts: 5_000 });
  }
  await database.pool.query('analyze orders, order_events');
  const fastify = await startChild<number>('load/fastifyServer.ts', {
    databaseUrl,
    orderSql: ORDER_WITH_LOG_SQL,
  } satisfies FastifyRoutes);
  const load = (url: string, serverPid: number) =>
    openLoad({
      baseUrl: url,
      connections: CONNECTIONS,
      serverPid,
      requestsOf: (connection) =>
        Array.from({ length: ASKED_BY_ONE }, (_, index) => ({
          path: `/v1/order/${storedOrderId(connection * each + 1 + ((index * 37) % each))}`,
          headers: { 'x-api-key': keys[connection] ?? '' },
        })),
    });
  const ours = await load(baseUrl, webPid);
  const baseline = await load(`http://127.0.0.1:${fastify.ready}`, fastify.pid);
  const found = await compareLoads({ ours, baseline }, { rounds: ROUNDS, roundMs: ROUND_MS });
  report(
    `Orders by id among ${ORDERS.toLocaleString('en-US')}, ${CONNECTIONS} connections (baseline: Fastify, node-postgres, the same statement)`,
    loadMeasures(found, { what: 'request', atLeast: 1 }),
  );
  await Promise.all([ours.stop(), baseline.stop(), fastify.stop()]);
});
