import { sql } from 'drizzle-orm';
import type { ExchangeOrder } from '../../exchange/port.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { jsonForRows } from '../../platform/database/jsonForRows.ts';
import { parseClientOrderId } from '../orders/lifecycle/clientOrderId.ts';
import type { Difference } from './difference.ts';

/** More than the exchange's read lag plus the difference of two clocks. */
const OVERLAP_SECONDS = 120;

/**
 * The start of the comparison with the exchange's orders: the last comparison without findings, or
 * our first order. Undefined without one.
 */
export async function readOrdersSince(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.execute<{ since: string | null }>(sql`
    select extract(epoch from coalesce(
      (select max(started_at) from reconciliation_runs where status = 'ok'),
      (select min(created_at) from orders)) - ${OVERLAP_SECONDS} * interval '1 second')::text as since`);
  const since = rows[0]?.since;
  return since ? new Date(Number(since) * 1_000) : undefined;
}

type Row = {
  n: number;
  order_id: string;
  ticker: string;
  status: string;
  booked: string;
  attempt_state: string | null;
};

/**
 * Orders that the exchange filled under one of our ids although our records call the attempt
 * absent, refused or never made, or filled differently. Attempts in flight are excluded.
 */
export async function compareOrders(
  db: Queryable,
  orders: readonly ExchangeOrder[],
): Promise<Difference[]> {
  const ours = orders.flatMap((order) => {
    const named = parseClientOrderId(order.clientOrderId);
    return named && order.filledContractMicros > 0n ? [{ ...order, orderId: named.orderId }] : [];
  });
  if (ours.length === 0) return [];
  const asked = ours.map(({ clientOrderId, orderId, filledContractMicros }, n) => ({
    n,
    clientOrderId,
    orderId,
    filledContractMicros,
  }));
  const { rows } = await db.execute<Row>(sql`
    select x.n, o.id as order_id, o.ticker, o.status, a.state as attempt_state,
      coalesce(a.filled_contract_micros, 0)::text as booked
    from jsonb_to_recordset(${jsonForRows(asked)}::jsonb) as x (n int, "clientOrderId" text,
      "orderId" uuid, "filledContractMicros" bigint)
    join orders o on o.id = x."orderId"
    left join exchange_attempts a on a.client_order_id = x."clientOrderId"
    where coalesce(a.filled_contract_micros, 0) <> x."filledContractMicros"
      and not (coalesce(a.state, 'stored') in ('stored', 'unknown')
        and (o.stage = 'place' or a.purpose = 'unwind' and o.is_unwinding))
      and not (a.client_order_id is null and o.stage = 'request' and not o.is_complete)`);
  return rows.flatMap((row): Difference[] => {
    const found = ours[row.n];
    if (!found) return [];
    const state = row.attempt_state ?? 'never made';
    return [
      {
        kind: 'exchange_order',
        subject: found.clientOrderId,
        expectedMicros: BigInt(row.booked),
        actualMicros: found.filledContractMicros,
        tickers: [row.ticker],
        orderIds: [row.order_id],
        explanation: `contracts filled under an id of an order that is ${row.status}, by an attempt that is ${state} in the books`,
      },
    ];
  });
}
