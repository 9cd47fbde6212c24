import type { Venue } from '#server/exchange/port.ts';
import type { VenueAttempt } from './facts.ts';

/** The exchange's code for a client order id that was used before. */
const ALREADY_EXISTS = 'order_already_exists';

/** What the exchange says of an attempt. `absent` is the one proof that nothing came of it, nor can. */
export type LookedUp =
  | { kind: 'ended'; venueOrderId: string; filledContractMicros: bigint }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/**
 * Finds out what became of an attempt. Whoever returns an order's funds, a step or an admin, relies
 * on this and on nothing else.
 */
export async function lookUpAttempt(
  venue: Pick<Venue, 'findOrder'>,
  order: { ticker: string; createdAt: Date },
  attempt: Pick<VenueAttempt, 'clientOrderId' | 'storedAt' | 'code'>,
): Promise<LookedUp> {
  const found = await venue.findOrder({
    ticker: order.ticker,
    clientOrderId: attempt.clientOrderId,
    sentAt: attempt.storedAt,
    since: order.createdAt,
  });
  if (found.kind === 'found') {
    const { venueOrderId, filledContractMicros } = found;
    return found.ended
      ? { kind: 'ended', venueOrderId, filledContractMicros }
      : { kind: 'not_yet_known' };
  }
  // The exchange has said itself that it knows the id: its list is what lags.
  if (attempt.code === ALREADY_EXISTS) return { kind: 'not_yet_known' };
  return found;
}
