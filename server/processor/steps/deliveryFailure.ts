import { formatMicros, minMicros } from '#lib/money.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import { roomOf, type VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { Decided, Write } from './decision.ts';

/** Between retries of a delivery that the chain rejected. */
export const RETRY_MS = 5_000;

/** The vault's errors for a mint whose attestation is old or superseded. */
export const UNATTESTED = new Set(['BackingStale', 'BackingExceeded', 'BelowFloor']);

/** The vault's errors after which an order can never be filled. */
export const UNDELIVERABLE = new Set(['OrderExpired', 'MarketSettled']);

/** Temporary errors of the chain: a cap that is used up, a treasury that is short. */
export const OUT_OF_ROOM = new Set([
  'BucketOverflow',
  'ERC20InsufficientAllowance',
  'ERC20InsufficientBalance',
]);

/** Whether a delivery that failed for lack of room would fail again now. */
export function isOutOfRoom(
  { tradeAction }: TradeOrder,
  neededMicros: bigint,
  room: VaultRoom,
  now: Date,
): boolean {
  if (tradeAction === 'buy') return neededMicros > roomOf(room.mint, room.at, now);
  return neededMicros > minMicros(roomOf(room.payout, room.at, now), room.fundsUsdcMicros);
}

/** Raised at the first failure: filled contracts must not wait unnoticed. */
export function reportFailure(
  order: TradeOrder,
  { kind, attempt, failure }: Operation,
): Pick<Decided, 'writes' | 'log'> {
  const internalDetail = `${kind}, try ${attempt}: ${failure ?? 'unknown'} (${holdingOf(order)})`;
  const alert = { kind: 'delivery_failing', subject: order.id, internalDetail } as const;
  const details = { kind, attempt, failure };
  return {
    writes: [{ kind: 'raise_alert', alert }],
    log: { level: 'error', message: 'delivery failed on chain', details },
  };
}

function holdingOf({ tradeAction, side, ticker, ...filled }: TradeOrder): string {
  const contracts = formatMicros(filled.filledContractMicros ?? 0n);
  const usdc = formatMicros(filled.quoteUsdcMicros ?? 0n);
  const what = tradeAction === 'buy' ? 'bought' : 'sold';
  return `${what} ${contracts} ${side} of ${ticker} for ${usdc} USDC`;
}

export function failureResolved({ id }: TradeOrder): Write {
  return { kind: 'resolve_alert', alert: { kind: 'delivery_failing', subject: id } };
}
