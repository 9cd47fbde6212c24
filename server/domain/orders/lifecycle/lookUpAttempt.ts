import type { Exchange } from '#server/exchange/port.ts';
import type { ExchangeAttempt } from './orderContext.ts';

/** The exchange's code for a client order id that was used before. */
const ALREADY_EXISTS = 'order_already_exists';

/** What the exchange says of an attempt. `absent` is the one proof that nothing came of it, nor can. */
export type AttemptLookup =
  | { kind: 'ended'; exchangeOrderId: string; filledContractMicros: bigint }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/**
 * Finds out what became of an attempt. Whoever returns an order's funds, a step or an admin, relies
 * on this and on nothing else.
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
  // The exchange has said itself that it knows the id: its list is what lags.
  if (attempt.code === ALREADY_EXISTS) return { kind: 'not_yet_known' };
  return found;
}
