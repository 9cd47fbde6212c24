import type { TicketQuote } from './quote.ts';

/**
 * Where the ticket is between a choice and its order. Before that, `ticketState` decides what is
 * missing; an order that was placed is reported while the next one is entered.
 *
 *     editing ──reviewed──▶ confirming ──worsened──▶ worse
 *        ▲                      │                     │
 *        ├──────changed─────────┴─────────────────────┤
 *        └──────placed────────────────────────────────┘
 */
export type OrderPhase = { orderId: string | undefined } & (
  | { at: 'editing' }
  /** The terms are on screen; the next press places the order. */
  | { at: 'confirming' }
  /** The price got worse than the one that was pressed; it must be accepted. */
  | { at: 'worse'; than: TicketQuote }
);

export type OrderEvent =
  | { kind: 'changed' }
  | { kind: 'reviewed' }
  | { kind: 'worsened'; than: TicketQuote }
  /** The price is no worse than the one that was accepted. */
  | { kind: 'accepted' }
  | { kind: 'placed'; orderId: string }
  | { kind: 'dismissed' };

export const START: OrderPhase = { at: 'editing', orderId: undefined };

export function nextPhase(phase: OrderPhase, event: OrderEvent): OrderPhase {
  const { orderId } = phase;
  switch (event.kind) {
    case 'changed':
      return phase.at === 'editing' ? phase : { at: 'editing', orderId };
    case 'reviewed':
      return { at: 'confirming', orderId: undefined };
    case 'worsened':
      return { at: 'worse', than: event.than, orderId: undefined };
    case 'accepted':
      return phase.at === 'worse' ? { at: 'confirming', orderId } : phase;
    case 'placed':
      return { at: 'editing', orderId: event.orderId };
    case 'dismissed':
      return { ...phase, orderId: undefined };
  }
}

/** A price counts as seen once it has been on screen for this long. */
export const SEEN_AFTER_MS = 700;

/** The quote that the visitor has seen, for the request they made. */
export type SeenQuote = { key: string; quote: TicketQuote };

/**
 * The quote that a press refers to: one that appeared just before the press counts as the
 * price before it, so that a worse one must be accepted first.
 */
export function pressedQuote(
  seen: SeenQuote | undefined,
  key: string,
  shown: TicketQuote,
): TicketQuote {
  return seen?.key === key ? seen.quote : shown;
}
