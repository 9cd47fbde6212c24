import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

/** The form of a ticket: Enter does what its button does, of a price on its way once it is there. */
export function TicketFrame({ ticket, children }: { ticket: Ticket; children: ReactNode }) {
  const { reason } = ticket;
  const { text } = ticket.fields.form;
  /** What was typed when Enter came before its price. */
  const awaited = useRef<string>(undefined);
  const follow = useEffectEvent((now: Ticket['reason']) => {
    if (now === 'quoteLoading') return;
    // Only as far as the confirmation: an order is placed at a price that was seen.
    if (now === 'review' && awaited.current === text) ticket.order.review();
    awaited.current = undefined;
  });
  useEffect(() => follow(reason), [reason]);
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const button = ticketButton(ticket);
        if (!button.disabled) button.onClick();
        else if (reason === 'quoteLoading') awaited.current = text;
      }}
    >
      {children}
    </form>
  );
}
