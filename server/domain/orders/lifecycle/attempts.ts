import { sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { ExchangeTiming } from '#server/platform/config/exchange.ts';
import { batched } from '#server/platform/database/batched.ts';
import type { Database } from '#server/platform/database/client.ts';
import { jsonForRows } from '#server/platform/database/jsonForRows.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { LEASE_SECONDS } from './lease.ts';
import type { ExchangeAttempt } from './orderContext.ts';
import type { OrderRow } from './orderRow.ts';
import { isClaimedAgainst } from './ownLevels.ts';

/** The id of one attempt at the exchange: deterministic across processes, used once. */
export function clientOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-${attempt}`;
}

/** The same for an attempt to trade back contracts that the house holds by mistake. */
export function unwindOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-u${attempt}`;
}

const PATTERN = /^cb-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(u?)(\d{1,6})$/;

/** The order that a client order id belongs to; undefined for a foreign id. */
export function parseClientOrderId(
  clientOrderId: string,
): { orderId: string; attempt: number; isUnwind: boolean } | undefined {
  const [, orderId, unwind, attempt] = PATTERN.exec(clientOrderId) ?? [];
  if (orderId === undefined) return undefined;
  return { orderId, attempt: Number(attempt), isUnwind: unwind === 'u' };
}

/** The exchange's code for a reused client order id. */
const ALREADY_EXISTS = 'order_already_exists';

/**
 * The exchange's record of an attempt. Only `absent` proves that it had no effect and cannot have
 * one.
 */
export type AttemptLookup =
  | { kind: 'ended'; exchangeOrderId: string; filledContractMicros: bigint }
  /** Accepted, and resting or being matched. */
  | { kind: 'resting'; exchangeOrderId: string; filledContractMicros: bigint }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/** Every refund, by a step or an admin, relies on this outcome alone. */
export async function lookUpAttempt(
  exchange: Pick<Exchange, 'findOrder'>,
  order: { ticker: string; createdAt: Date },
  attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'storedAt' | 'code'>,
): Promise<AttemptLookup> {
  const { clientOrderId, storedAt: sentAt } = attempt;
  const { ticker, createdAt: since } = order;
  const found = await exchange.findOrder({ ticker, clientOrderId, sentAt, since });
  if (found.kind === 'found') {
    const { ended, exchangeOrderId, filledContractMicros } = found;
    return { kind: ended ? 'ended' : 'resting', exchangeOrderId, filledContractMicros };
  }
  // The exchange has confirmed that it knows the id: its list lags behind.
  if (attempt.code === ALREADY_EXISTS) return { kind: 'not_yet_known' };
  return found;
}

/** A slower result may reach a process that was frozen in between. */
const FRESH_MS = (LEASE_SECONDS * 1_000) / 2;

type Question = { clientOrderId: string; token: string; storedAt: Date; withinMs: number };

/** `crosses`: it would meet an order of ours. */
type Permit = 'send' | 'crosses' | 'refused';

/** The code of an attempt that was not sent, because it would have met an order of ours. */
export const OWN_ORDER_AT_PRICE = 'own_order_at_price';

const permitsOf = memoizeByObject((database: Database) =>
  batched<Question, Permit>((questions) => readPermits(database, questions)),
);

/**
 * Whether an attempt may be sent to the exchange now: the caller still holds the lease, the attempt
 * has no outcome, it is recent enough that the exchange soon rejects it if it arrives late, and no
 * order of ours rests where it would trade.
 */
export async function readPermit(
  deps: { database: Database; exchange: { timing: ExchangeTiming } },
  { leaseToken }: Pick<OrderRow, 'leaseToken'>,
  { clientOrderId, storedAt }: { clientOrderId: string; storedAt: Date },
): Promise<Permit> {
  if (leaseToken === null) return 'refused';
  const askedAt = performance.now();
  // A third of the tolerance covers the transit.
  const withinMs = Math.round((deps.exchange.timing.toleranceMs * 2) / 3);
  const question = { clientOrderId, token: leaseToken, storedAt, withinMs };
  const permit = (await permitsOf(deps.database)(question)) ?? 'refused';
  return performance.now() - askedAt < FRESH_MS ? permit : 'refused';
}

/** An attempt `a` of order `taking`; an unwinding one trades the other way. */
const ATTEMPT = {
  id: sql`a.order_id`,
  ticker: sql`taking.ticker`,
  isBid: sql`((taking.trade_action = 'buy') = (taking.side = 'yes')) = (a.purpose <> 'unwind')`,
  yesPriceMicros: sql`case taking.side when 'yes' then a.limit_price_micros
    else 1000000 - a.limit_price_micros end`,
};

/** On the database's clock, which stamps leases and attempts. */
async function readPermits(
  { orm }: Database,
  questions: readonly Question[],
): Promise<Map<Question, Permit>> {
  const asked = jsonForRows(questions.map((question, n) => ({ n, ...question })));
  const { rows } = await orm.execute<{ n: number; crosses: boolean }>(sql`
    select q.n, ${isClaimedAgainst(ATTEMPT)} as crosses from jsonb_to_recordset(${asked}::jsonb) as q (n int, "clientOrderId" text,
      token uuid, "storedAt" timestamptz, "withinMs" int)
    join exchange_attempts a on a.client_order_id = q."clientOrderId"
    join orders taking on taking.id = a.order_id
    where a.state = 'stored' and a.stored_at = q."storedAt"
      and a.stored_at > now() - q."withinMs" * interval '1 millisecond'
      and taking.lease_token = q.token and taking.lease_until > now()`);
  return new Map(
    rows.flatMap(({ n, crosses }) => {
      const question = questions[n];
      return question ? [[question, crosses ? 'crosses' : 'send'] as const] : [];
    }),
  );
}
