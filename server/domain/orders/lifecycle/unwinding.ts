import { asc, eq } from 'drizzle-orm';
import { type PriceRange, sideRanges, snapToTick } from '#lib/market/ticks.ts';
import { divide, MICROS, maxMicros, minMicros } from '#lib/money.ts';
import type { OrderBook, OutcomeSide, TradeAction } from '#server/exchange/port.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import {
  exchangeAttempts,
  exchangeFills,
  orders,
} from '#server/platform/database/schema/orders.ts';
import type { ExchangeAttempt } from './orderContext.ts';
import { rests } from './orderRow.ts';

/**
 * Fills of an order that had already ended belong to the house, which trades them back. The fills
 * alone determine how much is left.
 */
export type UnwindRecord = {
  attempts: ExchangeAttempt[];
  fills: (typeof exchangeFills.$inferSelect)[];
  /** What was delivered in parts before the order ended: not the house's. */
  deliveredContractMicros?: bigint;
};

export async function readUnwindRecord(db: Queryable, orderId: string): Promise<UnwindRecord> {
  const [attempts, fills, [order]] = await Promise.all([
    db
      .select()
      .from(exchangeAttempts)
      .where(eq(exchangeAttempts.orderId, orderId))
      .orderBy(asc(exchangeAttempts.attempt)),
    db.select().from(exchangeFills).where(eq(exchangeFills.orderId, orderId)),
    db
      .select({ delivered: orders.deliveredContractMicros, timeInForce: orders.timeInForce })
      .from(orders)
      .where(eq(orders.id, orderId)),
  ]);
  const deliveredContractMicros = (order && rests(order) && order.delivered) || 0n;
  return { attempts, fills, deliveredContractMicros };
}

export type NextUnwinding =
  /** The exchange reports more of this attempt as filled than is recorded. */
  | { kind: 'book'; attempt: ExchangeAttempt }
  | { kind: 'look_up'; attempt: ExchangeAttempt }
  /** Trade this many contracts back with an attempt of this number. */
  | { kind: 'trade'; contractMicros: bigint; attempt: number; averageMicros: bigint }
  | { kind: 'end' };

export function nextUnwinding({
  attempts,
  fills,
  deliveredContractMicros = 0n,
}: UnwindRecord): NextUnwinding {
  const ours = attempts.filter(({ purpose }) => purpose !== 'order');
  const filledOf = (attempt: ExchangeAttempt) =>
    fills
      .filter(({ clientOrderId }) => clientOrderId === attempt.clientOrderId)
      .reduce((sum, fill) => sum + fill.contractMicros, 0n);
  const unbooked = ours.find(
    (one) => one.state === 'done' && filledOf(one) < (one.filledContractMicros ?? 0n),
  );
  if (unbooked) return { kind: 'book', attempt: unbooked };
  const open = ours.find(
    ({ purpose, state }) => purpose === 'unwind' && (state === 'stored' || state === 'unknown'),
  );
  if (open) return { kind: 'look_up', attempt: open };
  const sumOf = (purpose: ExchangeAttempt['purpose']) =>
    ours.filter((one) => one.purpose === purpose).reduce((sum, one) => sum + filledOf(one), 0n);
  const found = sumOf('found');
  const contractMicros = found - deliveredContractMicros - sumOf('unwind');
  if (contractMicros <= 0n) return { kind: 'end' };
  const foundIds = new Set(
    ours.filter(({ purpose }) => purpose === 'found').map((one) => one.clientOrderId),
  );
  const worth = fills
    .filter(({ clientOrderId }) => foundIds.has(clientOrderId))
    .reduce((sum, fill) => sum + fill.contractMicros * fill.priceMicros, 0n);
  return {
    kind: 'trade',
    contractMicros,
    attempt: Math.max(...attempts.map(({ attempt }) => attempt)) + 1,
    averageMicros: divide(worth, found, 'nearest'),
  };
}

/**
 * The worst price for trading a contract back, on the market's grid: the average price worsened by
 * the configured tolerance. Undefined when the grid has no such price.
 */
export function unwindLimit(
  market: { priceRanges: readonly PriceRange[] },
  trade: { action: TradeAction; side: OutcomeSide; averageMicros: bigint; maxLossMicros: bigint },
): bigint | undefined {
  const { action, side, averageMicros, maxLossMicros } = trade;
  const grid = sideRanges(market.priceRanges, side);
  return action === 'sell'
    ? snapToTick(grid, maxMicros(averageMicros - maxLossMicros, 0n), 'up')
    : snapToTick(grid, minMicros(averageMicros + maxLossMicros, MICROS), 'down');
}

/** Contracts available in the book at the limit or better. */
export function tradableMicros(
  book: OrderBook,
  trade: { action: TradeAction; side: OutcomeSide; limitMicros: bigint },
): bigint {
  const { action, side, limitMicros } = trade;
  const isYes = (side === 'yes') === (action === 'sell');
  const least = action === 'sell' ? limitMicros : MICROS - limitMicros;
  return (isYes ? book.yesBids : book.noBids)
    .filter(({ priceMicros }) => priceMicros >= least)
    .reduce((sum, level) => sum + level.contractMicros, 0n);
}
