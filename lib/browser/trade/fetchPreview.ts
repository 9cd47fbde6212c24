import { createPreviewClient } from '#lib/api/previewClient.ts';
import type { OrderBlocker, OrderPreview } from '#lib/api/schemas/orderPreview.ts';
import type { RequiredLimits } from '#lib/browser/account/grantLimits.ts';
import { parseMicros } from '#lib/money.ts';
import { orderRequest } from './orderRequest.ts';
import { draftAt } from './orderTerms.ts';
import type { PreviewAsk, PreviewService } from './previewQueries.ts';
import type { TicketReason } from './ticketState.ts';

/** What the service says of the order that the next press would place. */
export type TicketPreview = {
  /** What the ticket is about before anything else; undefined when nothing blocks the order. */
  blocker: { reason: TicketReason; code: string; detail: string } | undefined;
  /** The limits that a permission must have for the order; undefined when it needs none. */
  limitsNeed: RequiredLimits | undefined;
};

export async function fetchPreview(
  { site, client }: PreviewService,
  { order, owner, source, action }: PreviewAsk,
  signal: AbortSignal,
): Promise<TicketPreview> {
  const hasOwnPrice = 'orderType' in order;
  const body = hasOwnPrice
    ? order
    : orderRequest(site, draftAt({ ...order, action }, order.quote, order.slippageBps), owner);
  const { previews } = await createPreviewClient(client).previewOrders(body, { source, signal });
  const [preview] = previews;
  if (!preview) return { blocker: undefined, limitsNeed: undefined };
  const [blocker] = preview.blockers;
  return {
    blocker: blocker && { reason: reasonOf(blocker, { action, hasOwnPrice }), ...blocker },
    limitsNeed: limitsOf(preview),
  };
}

const REASONS: Partial<Record<string, TicketReason>> = {
  order_too_large: 'tooLarge',
  grant_required: 'signGrant',
  grant_expired: 'signGrant',
  grant_exceeded: 'widenGrant',
  price_moved: 'notFillable',
};

/** The ticket offers a way on for some blockers, and explains the others. */
export function reasonOf(
  { code }: Pick<OrderBlocker, 'code'>,
  { action, hasOwnPrice }: { action: 'buy' | 'sell'; hasOwnPrice: boolean },
): TicketReason {
  if (code === 'insufficient_funds') {
    return action === 'buy' ? 'insufficientCash' : 'insufficientContracts';
  }
  // Of a price of the visitor's the words are about it, not about the book.
  return (!(hasOwnPrice && code === 'price_moved') && REASONS[code]) || 'blocked';
}

function limitsOf({ signing }: OrderPreview): RequiredLimits | undefined {
  if (!signing?.leastMaxPerOrder || !signing.leastMaxPerDay) return undefined;
  const { leastMaxPerOrder, leastMaxPerDay } = signing;
  return {
    perOrderMicros: parseMicros(leastMaxPerOrder),
    perDayMicros: parseMicros(leastMaxPerDay),
  };
}
