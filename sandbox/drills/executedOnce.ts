import assert from 'node:assert/strict';
import pg from 'pg';
import type { Address } from 'viem';
import { pollUntil } from '#sandbox/process/poll.ts';
import { readExchangeRecord } from '#sandbox/testing/exchangeTrades.ts';
import { readHoldings } from '#sandbox/testing/trader.ts';
import type { Acknowledged, LoadedSandbox } from './orderLoad.ts';

/** Orders that waited through an outage are placed or returned within ten minutes. */
const ENDED_MS = 600_000;

type StoredOrder = { id: string; client_id: string; status: string; times: number };

/**
 * Waits until all acknowledged orders have ended, and compares them with what happened: none is
 * missing, each client id made one order, the exchange's own record and the vault have each once,
 * and every account holds on chain what its orders say.
 * @param sandbox.databaseUrl with the rights to read all of it
 * @param sandbox.dataDir of the sandbox whose exchange it is
 */
export async function assertExecutedOnce(
  sandbox: LoadedSandbox & { databaseUrl: string; dataDir: string },
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const client = new pg.Client({ connectionString: sandbox.databaseUrl });
  await client.connect();
  try {
    await untilEnded(client);
    const ids = acknowledged.map(({ id }) => id);
    const { rows: stored } = await client.query<StoredOrder>(
      `select o.id, o.client_id, o.status, (select count(*)::int from orders t
         where t.client_id = o.client_id) as times
       from orders o where o.id = any($1::uuid[])`,
      [ids],
    );
    assert.equal(stored.length, new Set(ids).size, 'an acknowledged order is lost');
    const clientIds = new Map(acknowledged.map(({ id, clientId }) => [id, clientId]));
    assert.deepEqual(
      stored.filter(({ id, client_id, times }) => clientIds.get(id) !== client_id || times !== 1),
      [],
      'a client id made another order, or several',
    );
    const { rows: repeated } = await client.query(
      `select chain_order_id, count(*) from vault_events where kind = 'filled'
       group by chain_order_id having count(*) > 1`,
    );
    assert.deepEqual(repeated, [], 'the vault filled an order twice');
    const { traded } = readExchangeRecord(sandbox.dataDir);
    const isWrong = ({ id, status }: StoredOrder) =>
      status === 'completed' ? traded.get(id) !== 1 : (traded.get(id) ?? 0) > 1;
    assert.deepEqual(stored.filter(isWrong), [], 'the exchange traded an order twice, or never');
    await assertHoldings(sandbox, client, acknowledged);
  } finally {
    await client.end();
  }
}

async function untilEnded(client: pg.Client): Promise<void> {
  let open = 0;
  const ended = await pollUntil(
    async () => {
      const { rows } = await client.query<{ open: number }>(
        'select count(*)::int as open from orders where not is_complete',
      );
      open = rows[0]?.open ?? 0;
      return open === 0 || undefined;
    },
    { timeoutMs: ENDED_MS, everyMs: 500 },
  );
  assert.ok(ended, `${open} orders have not ended`);
}

async function assertHoldings(
  sandbox: LoadedSandbox,
  client: pg.Client,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const { rows } = await client.query<{ account: string; ticker: string; micros: string }>(
    `select account_id as account, ticker, sum(filled_contract_micros)::text as micros
     from orders where status = 'completed' group by account_id, ticker`,
  );
  const accounts = new Map(
    acknowledged.map(({ trader }) => [trader.account.toLowerCase(), trader]),
  );
  for (const { account, ticker, micros } of rows) {
    if (!accounts.has(account.toLowerCase())) continue;
    const outcome = { ticker, side: 'yes' } as const;
    const held = await readHoldings(sandbox, account as Address, outcome);
    assert.equal(held.contractMicros, BigInt(micros), `${account} does not hold what it bought`);
  }
}
