import type { TradeOrder } from './orderRow.ts';

/** Time that the chain needs to deliver. */
const DELIVERY_MS = 45_000;

/**
 * Until then the service may fill the order; afterwards the user can withdraw the funds without it.
 */
export const ORDER_TTL_MS = 10 * 60_000;

/**
 * Until when an order that takes from the book may be filled. The price that released a stop order
 * counts for as long as that of a request does.
 */
export function fillBy({ expiresAt, triggeredAt }: TradeOrder): Date {
  if (triggeredAt === null) return expiresAt;
  return new Date(Math.min(expiresAt.getTime(), triggeredAt.getTime() + ORDER_TTL_MS));
}

/** Between attempts to reserve room at the vault. */
export const ROOM_WAIT_MS = 3_000;

/**
 * Time that an order needs when the exchange's response is lost: until its absence is proven, or it
 * is found and delivered. With less time left, the order is not sent.
 */
export function placingBudgetMs({ absenceMs }: { absenceMs: number }): number {
  return absenceMs + DELIVERY_MS;
}
