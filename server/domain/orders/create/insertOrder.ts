import { getTableColumns, sql } from 'drizzle-orm';
import { batched } from '#server/platform/database/batched.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { jsonForRows } from '#server/platform/database/jsonForRows.ts';
import { isDatabaseOutage } from '#server/platform/database/outage.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { isNotHeld } from '../../admin/suspensions.ts';
import { isUnlimited } from '../../limits/limits.ts';
import { NOTIFY_DUE } from '../lifecycle/dueOrders.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { orderColumns, RECOVERED, readOrderRow } from '../lifecycle/orderRow.ts';

export type NewOrderRow = Omit<
  typeof orders.$inferInsert,
  'createdAt' | 'updatedAt' | 'nextRunAt' | 'isComplete' | 'isUnwinding' | 'status' | 'traceparent'
>;

type Arrival = NewOrderRow & { traceparent: string | null };

const { status, createdAt, updatedAt, nextRunAt, isComplete, isUnwinding, failures, ...GIVEN } =
  getTableColumns(orders);
const SET_HERE = [status, createdAt, updatedAt, nextRunAt, isComplete, isUnwinding, failures];
const COLUMNS = Object.entries(GIVEN);
const names = (columns: { name: string }[]) => sql.raw(columns.map(({ name }) => name).join(', '));

const arrivalsOf = memoizeByObject((database: Database) =>
  batched<Arrival, OrderRow>((arrivals) => storeTogether(database, arrivals), { underWay: 1 }),
);

/**
 * Stores an order with its first event durably and notifies the processors, in one round trip, if
 * its client id is new, its market accepts orders and no limit applies. Otherwise, or when one
 * statement cannot decide that, stores nothing and returns undefined. Concurrent orders share a
 * statement.
 */
export async function storeUnhindered(
  database: Database,
  arrival: Arrival,
): Promise<OrderRow | undefined> {
  return await arrivalsOf(database)(arrival);
}

/** On failure the callers store their orders one at a time, unless each would wait for a lost database. */
async function storeTogether(
  { orm }: Database,
  arrivals: readonly Arrival[],
): Promise<Map<Arrival, OrderRow>> {
  try {
    return await storeAll(orm, arrivals);
  } catch (error) {
    if (arrivals.length === 1 || isDatabaseOutage(error)) throw error;
    return new Map();
  }
}

async function storeAll(
  db: Queryable,
  arrivals: readonly Arrival[],
): Promise<Map<Arrival, OrderRow>> {
  const rows = arrivals.map(valuesOf);
  const given = COLUMNS.filter(([key]) => rows.some((row) => row[key] !== undefined));
  const columns = given.map(([, column]) => column);
  const types = sql.raw(columns.map((one) => `${one.name} ${one.getSQLType()}`).join(', '));
  const values = rows.map((row) =>
    Object.fromEntries(given.map(([key, { name }]) => [name, row[key]])),
  );
  // As text, because the published action keeps the order of its fields.
  const arrived = jsonForRows(values);
  const result = await db.execute<Record<string, unknown>>(sql`
    with arrived as (
      select * from json_to_recordset(${arrived}::json) as a (${types})),
    stored as (
      insert into orders (${names(columns)}, ${names(SET_HERE)})
      select ${names(columns)}, 'pending', now(), now(), now(), false, false, 0 from arrived a
      where ${isUnlimited()}
        and (a.kind = 'withdrawal' or a.is_redemption or ${isNotHeld(sql`a.ticker`)})
        and not exists (select 1 from orders o
          where o.api_key_id = ${RECOVERED} and o.client_ref = a.client_ref)
      on conflict (api_key_id, client_id, owner_address, anonymous) do nothing
      returning ${orderColumns('orders')}),
    logged as (
      insert into order_events (account_id, order_id, type, status, at)
      select account_id, id, 'created', status, now() from stored)
    select ${orderColumns('stored')}, ${NOTIFY_DUE} from stored`);
  const stored = result.rows.map((row) => readOrderRow(row));
  const byId = new Map(stored.map((order) => [order.id, order]));
  return new Map(
    arrivals.flatMap((arrival) => {
      const order = byId.get(arrival.id);
      return order ? [[arrival, order] as const] : [];
    }),
  );
}

/** What the statement refers to, or its column needs where another order gives a value. */
const DEFAULTS = {
  ticker: null,
  clientRef: null,
  isRedemption: false,
  withoutToken: false,
  anonymous: false,
  orderType: 'market',
  isPostOnly: false,
  isReduceOnly: false,
};

function valuesOf(arrival: Arrival): Partial<Record<string, unknown>> {
  return { ...DEFAULTS, ...arrival };
}
