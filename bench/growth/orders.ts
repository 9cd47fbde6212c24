import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import type { Chain } from '#server/chain/client.ts';
import { listSequences } from '#server/domain/orders/read/eventFeed.ts';
import { getOrder, listOrders } from '#server/domain/orders/read/readOrders.ts';
import { readPositionCosts } from '#server/domain/portfolio/positionFlows.ts';
import type { Database } from '#server/platform/database/client.ts';
import { sizesOr } from '../harness/options.ts';
import { type Curve, some } from './curve.ts';

const ACCOUNTS = 100;
/** Only which contract is the vault is looked at. */
const CHAIN = { contracts: { swapVault: `0x${'0'.repeat(39)}1` } } as unknown as Chain;

/**
 * As a processor queries it: one of all stored orders is unfinished. A statement of its own,
 * because processing the result would change the measurement.
 */
const DUE_SQL = `select id from orders where is_complete = false and next_run_at <= now()
  and (lease_until is null or lease_until < now()) order by next_run_at limit 200`;

/** Stored during the measurement, far beyond the others, so that sizes do not collide. */
let extra = 100_000_000;

async function storeOne(database: Database): Promise<void> {
  extra += 1;
  await storeOrders(database, {
    from: extra,
    to: extra,
    apiKeyId: 'key_extra',
    accounts: ACCOUNTS,
  });
}

/** Orders with their logs, of more accounts the more there are. */
export const ordersCurve: Curve = {
  of: 'orders',
  sizes: sizesOr([1_000, 10_000, 100_000, 1_000_000, 10_000_000], [1_000, 10_000, 100_000]),
  tables: 'orders, order_events',
  async store(database, from, to) {
    const accounts = Math.max(ACCOUNTS, to / 100);
    await storeOrders(database, { from, to, accounts, apiKeyId: 'key_grown' });
    if (from > 1) return;
    await database.pool.query(
      `update orders set is_complete = false, stage = 'place', status = 'validated' where id = $1`,
      [storedOrderId(9)],
    );
  },
  asked(database, size) {
    const deps = { database };
    const viewer = { apiKeyId: 'key_grown', apiKeyKind: 'secret' } as const;
    const account = (index: number) =>
      `0x${some(index, ACCOUNTS - 1)
        .toString(16)
        .padStart(40, 'a')}` as const;
    return {
      'an order by its id': (index) =>
        getOrder(deps, { viewer, id: storedOrderId(some(index, size)) }),
      'the newest orders of a key': () => listOrders(deps, { viewer, limit: 50, type: 'all' }),
      'what the positions of an account cost': (index) =>
        readPositionCosts({ db: database.orm, chain: CHAIN }, [account(index)]),
      'orders that are due': () => database.pool.query(DUE_SQL),
      'the end of the log': () => listSequences(deps, BigInt(size * 4 - 50), 500),
      'storing one order': () => storeOne(database),
    };
  },
};
