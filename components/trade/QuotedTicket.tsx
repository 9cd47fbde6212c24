'use client';

import { TicketFigures } from './TicketFigures.tsx';
import { TicketWarnings } from './TicketWarnings.tsx';
import type { Ticket } from './useTicket.ts';

/** What there is to say of a price: what the trade comes to, and what to think about. */
export function QuotedTicket({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <TicketFigures ticket={ticket} />
      <TicketWarnings ticket={ticket} />
    </>
  );
}
