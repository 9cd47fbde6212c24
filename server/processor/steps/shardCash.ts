import { unfundedAlert } from '#server/domain/collateral/unfundedAlert.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { type Decided, type Needed, park, recordResponse } from './decision.ts';
import type { FactsOf, StoredAttempt } from './facts.ts';
import type { Stop } from './storeAttempt.ts';

/** The exchange's code for an account without enough cash on the order's shard. */
const UNFUNDED = 'insufficient_balance';
/** Between checks of the shard's cash. */
const CASH_WAIT_MS = 1_000;
/** Attempts that the exchange may refuse although the shard's cash looks sufficient. */
const MOST_REFUSALS = 5;

export function isUnfundedCode(code: string | null): boolean {
  return code?.toLowerCase() === UNFUNDED;
}

/** Whether the last attempt was refused because its shard had too little cash. */
export function wasUnfunded(attempt: ExchangeAttempt | undefined): boolean {
  return attempt?.state === 'no_fill' && isUnfundedCode(attempt.code);
}

/** Waits for cash on the shard, under an alert. */
export function afterUnfunded(
  order: TradeOrder,
  attempt: StoredAttempt,
  { code, detail }: { code: string; detail: string },
): Decided {
  const internalDetail = `${code} ${detail} (${order.ticker}, intent ${order.id})`;
  return {
    ...park('place', CASH_WAIT_MS),
    response: recordResponse(attempt, { state: 'no_fill', code }),
    writes: [
      { kind: 'raise_alert', alert: { ...unfundedAlert(attempt.shard ?? 0), internalDetail } },
    ],
  };
}

/** After a refusal for lack of cash: the next attempt waits until its shard has the cash. */
export function decideShardCash({
  context: { attempt },
  shardCash,
}: FactsOf<'shardCash'>): Stop | Needed<'shardCash'> | undefined {
  if (attempt === undefined || !wasUnfunded(attempt)) return undefined;
  if (attempt.attempt >= MOST_REFUSALS) return { kind: 'stop', reason: 'exchange_unfunded' };
  if (shardCash === undefined) return { kind: 'need', fact: 'shardCash', shard: attempt.shard };
  if (shardCash === 'awaited') return { kind: 'wait', waitMs: CASH_WAIT_MS };
  return shardCash === 'lacking' ? { kind: 'stop', reason: 'exchange_unfunded' } : undefined;
}
