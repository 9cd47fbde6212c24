import { and, eq, inArray, sql } from 'drizzle-orm';
import type { RestingOrder } from '#server/exchange/restingOrders.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { jsonForRows } from '#server/platform/database/jsonForRows.ts';
import { exchangeAttempts, orders } from '#server/platform/database/schema/orders.ts';
import { BY_RECONCILIATION, EVERY_MARKET, listSuspensions } from '../../admin/suspensions.ts';
import { parseClientOrderId } from './attempts.ts';

/** An order that rests by the books. */
export type BookedRest = {
  orderId: string;
  exchangeOrderId: string;
  filledContractMicros: bigint;
};

/** Orders that the exchange has accepted and whose end is not recorded. */
export async function listBookedRests(db: Queryable): Promise<BookedRest[]> {
  return await db
    .select({
      orderId: orders.id,
      exchangeOrderId: sql<string>`${exchangeAttempts.exchangeOrderId}`,
      filledContractMicros: sql<bigint>`coalesce(${orders.filledContractMicros}, 0)`.mapWith(
        BigInt,
      ),
    })
    .from(orders)
    .innerJoin(exchangeAttempts, eq(exchangeAttempts.orderId, orders.id))
    .where(
      and(
        eq(orders.isComplete, false),
        eq(orders.stage, 'rest'),
        eq(exchangeAttempts.state, 'resting'),
      ),
    );
}

/** What a sweep found: orders to visit, and orders at the exchange that should not be there. */
export type SweepFindings = { toVisit: string[]; strangers: RestingOrder[] };

/**
 * Compares the orders that rest by the books with those that rest at the exchange. One that the
 * exchange lacks, or that has filled more there, is visited; its step reads the truth. One of ours
 * that the books lack altogether is a stranger.
 */
export function compareRests(
  booked: readonly BookedRest[],
  resting: readonly RestingOrder[],
  isOurs: (clientOrderId: string) => boolean,
): SweepFindings {
  const there = new Map(resting.map((order) => [order.exchangeOrderId, order]));
  const known = new Set(booked.map((one) => one.exchangeOrderId));
  const toVisit = booked
    .filter((one) => {
      const order = there.get(one.exchangeOrderId);
      return order === undefined || order.filledContractMicros !== one.filledContractMicros;
    })
    .map((one) => one.orderId);
  const strangers = resting.filter(
    (order) => !known.has(order.exchangeOrderId) && isOurs(order.clientOrderId),
  );
  return { toVisit, strangers };
}

/** Whether a client order id is one that this service makes. */
export function isOurId(clientOrderId: string): boolean {
  return parseClientOrderId(clientOrderId) !== undefined;
}

/**
 * The orders among these at the exchange that no order of ours can stand behind: it is unknown, or
 * has ended or moved on. One that is being placed is not among them.
 */
export async function filterOrphans(
  db: Queryable,
  strangers: readonly RestingOrder[],
): Promise<RestingOrder[]> {
  const asked = strangers.flatMap((order, n) => {
    const named = parseClientOrderId(order.clientOrderId);
    return named ? [{ n, orderId: named.orderId }] : [];
  });
  if (asked.length === 0) return [];
  const { rows } = await db.execute<{ n: number }>(sql`
    select x.n from jsonb_to_recordset(${jsonForRows(asked)}::jsonb) as x (n int, "orderId" uuid)
    where not exists (select 1 from orders o where o.id = x."orderId"
      and (not o.is_complete and o.stage in ('request', 'trigger', 'place', 'rest') or o.is_unwinding))`);
  return rows.flatMap(({ n }) => strangers[n] ?? []);
}

/**
 * Orders that rest or wait and may not any more: in markets, or in all of them, where an admin has
 * halted trading, or while the vault is paused.
 */
export async function listHaltedRests(
  deps: { database: Database },
  { isVaultPaused }: { isVaultPaused: boolean },
): Promise<string[]> {
  const holds = (await listSuspensions(deps)).filter(
    (one) => one.suspendedBy !== BY_RECONCILIATION,
  );
  if (holds.length === 0 && !isVaultPaused) return [];
  const tickers = holds.map((one) => one.ticker);
  const isHalted =
    isVaultPaused || tickers.includes(EVERY_MARKET) ? undefined : inArray(orders.ticker, tickers);
  const rows = await deps.database.orm
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.isComplete, false), inArray(orders.stage, ['rest', 'trigger']), isHalted));
  return rows.map((row) => row.id);
}

/** Those of these orders that rest. */
export async function listResting(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(inArray(orders.id, [...ids]), eq(orders.isComplete, false), eq(orders.stage, 'rest')),
    );
  return rows.map((row) => row.id);
}

/** Markets in which orders rest. */
export async function listRestingTickers(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectDistinct({ ticker: orders.ticker })
    .from(orders)
    .where(and(eq(orders.isComplete, false), eq(orders.stage, 'rest')));
  return rows.flatMap(({ ticker }) => ticker ?? []);
}

/**
 * Stores how many contracts are ahead of each order, for its record. An order that is being changed
 * just now waits for the next reading.
 */
export async function storeQueuePositions(
  db: Queryable,
  positions: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (positions.size === 0) return;
  const rows = [...positions].map(([id, ahead]) => ({ id, ahead }));
  await db.execute(sql`
    with moved as materialized (
      select o.id, x.ahead
      from jsonb_to_recordset(${jsonForRows(rows)}::jsonb) as x (id text, ahead bigint)
      join exchange_attempts a on a.exchange_order_id = x.id and a.state = 'resting'
      join orders o on o.id = a.order_id and o.stage = 'rest'
        and o.queue_contract_micros is distinct from x.ahead
      for update of o skip locked)
    update orders o set queue_contract_micros = moved.ahead from moved where o.id = moved.id`);
}
