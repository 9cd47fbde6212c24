import type { ReactNode } from 'react';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

/** The form of a ticket: Enter does what its button does. */
export function TicketFrame({ ticket, children }: { ticket: Ticket; children: ReactNode }) {
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const button = ticketButton(ticket);
        if (!button.disabled) button.onClick();
      }}
    >
      {children}
    </form>
  );
}
