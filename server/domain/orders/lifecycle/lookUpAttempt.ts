import type { Exchange } from '#server/exchange/port.ts';
import type { ExchangeAttempt } from './orderContext.ts';

/** The exchange's code for a reused client order id. */
const ALREADY_EXISTS = 'order_already_exists';

/**
 * The exchange's record of an attempt. Only `absent` proves that it had no effect and cannot have
 * one.
 */
export type AttemptLookup =
  | { kind: 'ended'; exchangeOrderId: string; filledContractMicros: bigint }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/**
 * Determines the outcome of an attempt. Every refund, by a step or an admin, relies on it alone.
 */
export async function lookUpAttempt(
  exchange: Pick<Exchange, 'findOrder'>,
  order: { ticker: string; createdAt: Date },
  attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'storedAt' | 'code'>,
): Promise<AttemptLookup> {
  const found = await exchange.findOrder({
    ticker: order.ticker,
    clientOrderId: attempt.clientOrderId,
    sentAt: attempt.storedAt,
    since: order.createdAt,
  });
  if (found.kind === 'found') {
    const { exchangeOrderId, filledContractMicros } = found;
    return found.ended
      ? { kind: 'ended', exchangeOrderId, filledContractMicros }
      : { kind: 'not_yet_known' };
  }
  // The exchange has confirmed that it knows the id: its list lags behind.
  if (attempt.code === ALREADY_EXISTS) return { kind: 'not_yet_known' };
  return found;
}
