import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createPublicClient, custom } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storeMarkets } from '#sandbox/testing/storedMarkets.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import type { Chain } from '#server/chain/client.ts';
import { listTokenMovements } from '#server/chain/holdings.ts';
import { findAccounts } from '#server/domain/accounts/accounts.ts';
import { allActivity } from '#server/domain/activity/activityQuery.ts';
import { listSuspensions } from '#server/domain/admin/suspensions.ts';
import { createApiKeys, generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { checkSession } from '#server/domain/auth/sessions.ts';
import { findMarket, listMarkets } from '#server/domain/markets/catalogue/catalogue.ts';
import { changeReader } from '#server/domain/markets/catalogue/changes/marketFeed.ts';
import { findOutcomesByTokenIds } from '#server/domain/markets/catalogue/outcomes.ts';
import { readRecordedHours } from '#server/domain/markets/prices/hourlyPrices.ts';
import { hoursThrough } from '#server/domain/markets/prices/hours.ts';
import { readPastPrices } from '#server/domain/markets/prices/pastPrices.ts';
import { findByClientId } from '#server/domain/orders/create/storeOrder.ts';
import { findDueOrders } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { claimOrder, releaseLease, renewLease } from '#server/domain/orders/lifecycle/lease.ts';
import { listLockedInputs, listOpenInputs } from '#server/domain/orders/lifecycle/lockedInputs.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import { listCompletedTradesOf } from '#server/domain/orders/read/completedTrades.ts';
import { listSequences, readFeed } from '#server/domain/orders/read/eventFeed.ts';
import { getOrder, getOrderByClientId, listOrders } from '#server/domain/orders/read/readOrders.ts';
import { readPositionCosts } from '#server/domain/portfolio/positionFlows.ts';
import { readLatestRun } from '#server/domain/reconciliation/runs.ts';
import type { Database } from '#server/platform/database/client.ts';
import { findLostTransactions } from '#server/processor/forks/contractLogs.ts';

/**
 * The queries of user requests, on large tables: captures every statement that the service sends,
 * and checks its plan. None may scan a large table.
 */

const ORDERS = 20_000;
const MARKETS = 10_000;
const GROWN = new Set([
  'orders',
  'order_events',
  'markets',
  'token_transfers',
  'vault_events',
  'usdc_transfers',
  'chain_operations',
  'chain_transactions',
  'reconciliation_runs',
  'sessions',
  'market_changes',
  'accounts',
]);
/** Its partitions are named by week. */
const GROWN_PARTS = 'price_points_';

/** The only unfinished order. */
const openId = storedOrderId(9);

let database: Database;
let caught: { text: string; params: unknown[] }[] = [];

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  const { pool } = migrated.database;
  const logger = { logQuery: (text: string, params: unknown[]) => caught.push({ text, params }) };
  database = { pool, orm: drizzle(pool, { logger }) };
  await storeOrders(database, { from: 1, to: ORDERS, apiKeyId: 'key_grown', accounts: 500 });
  await fill();
  await pool.query(
    `update orders set stage = 'request', status = 'pending', is_complete = false where id = $1`,
    [openId],
  );
  await pool.query('analyze');
  return migrated.close;
});

async function fill(): Promise<void> {
  const { pool } = database;
  await storeMarkets(database, 1, MARKETS);
  await pool.query(`
    insert into token_transfers (transaction_hash, log_index, batch_index, block_number, token_id,
      from_address, to_address, contract_micros)
    select md5(n::text), 0, 0, n, '0x' || md5('y' || n % 5000) || md5('e' || n % 5000),
      '0x0000000000000000000000000000000000000000', '0x' || lpad(to_hex(n % 500), 40, 'a'), 1000000
    from generate_series(1, 20000) n`);
  await pool.query(`
    insert into vault_events (transaction_hash, log_index, block_number, kind, chain_order_id,
      account_address, client_ref)
    select md5(n::text), 1, n, 'filled', '0x' || md5('chain' || n) || md5('order' || n),
      '0x' || lpad(to_hex(n % 500), 40, 'a'), ''
    from generate_series(1, 20000) n`);
  await pool.query(`
    insert into usdc_transfers (transaction_hash, log_index, block_number, from_address, to_address,
      usdc_micros)
    select md5(n::text), 2, n, '0x' || lpad(to_hex(n % 500), 40, 'a'), '0xvault', 1000000
    from generate_series(1, 20000) n`);
  await pool.query(`
    insert into chain_transactions (id, signer, nonce, raw, hash, state, block_number, block_hash,
      signed_at)
    select gen_random_uuid(), '0xsigner', n, '0x', md5(n::text), 'confirmed', n, md5(n::text), now()
    from generate_series(1, 20000) n`);
  await pool.query(`
    insert into chain_operations (id, order_id, account_id, kind, attempt, args, state,
      transaction_id, created_at)
    select gen_random_uuid(), o.id, o.account_id, 'fill', 1, '{}', 'succeeded', t.id, now()
    from chain_transactions t join orders o on o.client_id = 'bench-' || t.nonce`);
  await pool.query(`
    insert into block_times (block_number, at) select n, now() from generate_series(1, 20000) n`);
  await pool.query(`
    insert into reconciliation_runs (id, started_at, checked_at, status, differences, suspicions, cost)
    select gen_random_uuid(), at, at, 'ok', '[]', '[]', '{}'
    from generate_series(now() - interval '14 days', now(), interval '1 minute') at`);
  await pool.query(`
    insert into accounts (id, owner_address)
    select '0xa' || lpad(to_hex(n), 39, '0'), '0xb' || lpad(to_hex(n), 39, '0')
    from generate_series(1, 5000) n`);
  await pool.query(`
    insert into sessions (id, owner_address, user_agent, ip, expires_at)
    select gen_random_uuid()::text, '0x' || n, '', '', now() + interval '1 hour'
    from generate_series(1, 5000) n`);
  await pool.query(`
    insert into price_points (ticker, at, last_price_micros, volume_contract_micros)
    select 'BENCH-' || m, t, 500000, 0 from generate_series(1, 100) m,
      generate_series(now() - interval '2 days', now(), interval '5 minutes') t`);
  await pool.query(`
    insert into market_changes (tickers) select array['BENCH-' || n] from generate_series(1, 5000) n`);
}

const ACCOUNT = `0x${'1'.padStart(40, 'a')}` as const;
const OWNER = `0x${'1'.padStart(40, 'b')}` as const;
/** Only the address of the vault is read. */
const CHAIN = { contracts: { swapVault: `0x${'0'.repeat(39)}1` } } as unknown as Chain;
/** No transaction is found, so no block is asked for. */
const UNASKED = custom({ request: () => Promise.reject(new Error('the node was asked')) });
const UNASKED_CHAIN = { client: createPublicClient({ transport: UNASKED }) };
const subject = {
  account: ACCOUNT,
  holders: [ACCOUNT],
  vault: CHAIN.contracts.swapVault,
  settlement: CHAIN.contracts.swapVault,
  since: undefined,
};
const viewer = { apiKeyId: 'key_grown', apiKeyKind: 'secret', owner: OWNER } as const;
const page = { limit: 50, type: 'all' } as const;
const tickersTo = (last: number) => Array.from({ length: last }, (_, n) => `BENCH-${n + 1}`);
const TOKEN = `0x${'0'.repeat(64)}` as const;

const asked: Record<string, () => Promise<unknown>> = {
  'an order by its id': () => getOrder({ database }, { viewer, id: storedOrderId(77) }),
  'an order by its client id': () =>
    getOrderByClientId({ database }, { viewer, clientId: 'bench-77' }),
  'orders of a key and its owner': () => listOrders({ database }, { viewer, ...page }),
  'orders of a wallet': () =>
    listOrders(
      { database },
      { viewer, ...page, userAddress: '0xAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA1' },
    ),
  'whether a client id was used': () =>
    findByClientId(database, {
      apiKeyId: 'key_grown',
      clientId: 'new',
      owner: 'nobody',
      anonymous: false,
    }),
  'an order to work on': () => claimOrder(database, storedOrderId(5)),
  'the end of the orders’ log': () => listSequences({ database }, 79_900n, 500),
  'the orders’ log from somewhere on': () => readFeed({ database }, 79_900n, 500),
  'what an account traded': () => listCompletedTradesOf(database.orm, [ACCOUNT]),
  'what orders of an account have locked': () => listOpenInputs(database.orm, ACCOUNT),
  'what orders of an account had locked': () => listLockedInputs(database.orm, ACCOUNT),
  'what the positions of an account cost': () =>
    readPositionCosts({ db: database.orm, chain: CHAIN }, [ACCOUNT]),
  'accounts of some owners': () => findAccounts({ database }, [ACCOUNT, OWNER]),
  'what came to an account and left it': () => listTokenMovements(database.orm, [ACCOUNT]),
  'a market': () => findMarket({ database }, 'BENCH-77'),
  'open markets by volume': () => listMarkets({ database }, { limit: 50, status: 'open' }),
  'some markets': () => listMarkets({ database }, { limit: 50, tickers: ['BENCH-1', 'BENCH-2'] }),
  'the markets of an event': () =>
    listMarkets({ database }, { limit: 50, eventTickers: ['EVENT-9'] }),
  'markets of tokens': () => findOutcomesByTokenIds({ database }, [TOKEN]),
  'which markets were written': () => changeReader(database).after(4_990n, [4_991n]),
  'past prices': () => readPastPrices({ database }, [{ ticker: 'BENCH-1', at: new Date() }]),
  'the hours of a list of markets': () =>
    readRecordedHours({ database }, tickersTo(36), hoursThrough(Date.now())),
  'the hours of a long list of markets': () =>
    readRecordedHours({ database }, tickersTo(1_000), hoursThrough(Date.now())),
  'the activity of an account': () =>
    database.orm.execute(sql`select * from (${allActivity(subject, viewer)}) facts limit 50`),
  'orders that are due': () => findDueOrders(database, 50),
  'our transactions that a new block may have removed': () =>
    findLostTransactions({ database, chain: UNASKED_CHAIN }, 20_000n, {
      toBlock: 20_001n,
      logs: [],
    }),
  'the latest comparison of the books': () => readLatestRun({ database }),
  'whether a market is suspended': () => listSuspensions({ database }, 'BENCH-1'),
};

const refused: Record<string, () => Promise<unknown>> = {
  'a key': () => createApiKeys(database).authenticate(generateApiKey('test')),
  'a session': () => checkSession({ database }, 'none'),
};

const inOneLife: Record<string, () => Promise<unknown>> = {
  'keeping and returning an order': async () => {
    const claimed = await claimOrder(database, openId);
    if (!claimed) throw new Error('the order was not to be had');
    await renewLease(database, claimed.lease);
    await applyTransition(database, claimed.lease, {
      from: 'request',
      events: [{ type: 'validated' }],
      set: { stage: 'place' },
      next: { kind: 'continue' },
    });
    await releaseLease(database, claimed.lease, { delayMs: 0 });
  },
};

/** Tables whose every row belongs to one order, with the column of its id. */
const OF_ORDERS =
  /"?\b(orders|order_events|exchange_attempts|exchange_fills|ledger_entries|chain_operations)\b"?/;
const BY_ORDER =
  /("id"|order_id"?|o\.id) (=|in) ?(any)?\(?\$\d|order_id = "orders"\."id"|\bon m\.id = o\.id\b/;

/** docs/SCALING.md explains which statements go to every shard, and why that is acceptable. */
const FAN_OUT = [
  'an order by its client id',
  'orders of a key and its owner',
  'orders of a wallet',
  'orders that are due',
  'the activity of an account',
  'the end of the orders’ log',
  'the orders’ log from somewhere on',
  'what an account traded',
  'what orders of an account had locked',
  'what orders of an account have locked',
  'what the positions of an account cost',
  'whether a client id was used',
];

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

function scansIn(plan: Plan): string[] {
  const name = plan['Relation Name'] ?? '';
  const isGrown = GROWN.has(name) || name.startsWith(GROWN_PARTS);
  const own = plan['Node Type'] === 'Seq Scan' && isGrown ? [name] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)];
}

async function expectNoScan(ask: () => Promise<unknown>): Promise<void> {
  caught = [];
  await ask();
  expect(caught.length).toBeGreaterThan(0);
  for (const { text, params } of caught) {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${text}`,
      params,
    );
    expect(
      rows.flatMap((row) => scansIn(row['QUERY PLAN'][0].Plan)),
      text,
    ).toEqual([]);
  }
}

describe('given large tables, no statement scans one', () => {
  it.each(Object.keys(asked))('%s', async (name) => {
    await expectNoScan(asked[name] ?? (() => Promise.reject(new Error(name))));
  });

  it.each(Object.keys(refused))('given an unknown id: %s', async (name) => {
    await expectNoScan(() => (refused[name]?.() ?? Promise.resolve()).catch(() => undefined));
  });

  it('detects a scan', async () => {
    const ask = () => database.orm.execute('select * from orders where client_ref = $$x$$');
    await expect(expectNoScan(ask)).rejects.toThrow('orders');
  });
});

describe('rows of an order are queried by order, so that one shard responds', () => {
  it('except for the listed statements', async () => {
    const everything = { ...asked, ...inOneLife };
    const fanOut = new Set<string>();
    for (const [name, ask] of Object.entries(everything)) {
      caught = [];
      await ask();
      const statements = caught.filter(({ text }) => OF_ORDERS.test(text));
      const alone = statements.filter(
        ({ text }) => !text.startsWith('insert into') && !BY_ORDER.test(text),
      );
      if (alone.length > 0) fanOut.add(name);
    }
    expect([...fanOut].sort()).toEqual(FAN_OUT);
  });
});
