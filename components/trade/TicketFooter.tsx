'use client';

import dynamic from 'next/dynamic';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { TicketMessages } from './TicketMessages.tsx';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

// A changed price implies that a price, and its figures, were shown before.
const PriceMoved = dynamic(() => import('./QuotedTicket.tsx').then((m) => m.PriceMoved));

/**
 * The button with its messages. It sticks to the bottom while the ticket scrolls, so that the
 * result of a press is never hidden behind it.
 */
export function TicketFooter({ ticket }: { ticket: Ticket }) {
  const { error } = ticket;
  const button = ticketButton(ticket);
  return (
    <div className="-mx-5 -my-3 sticky bottom-0 grid gap-3 bg-surface px-5 py-3">
      <TicketMessages ticket={ticket} />
      {ticket.order.worseThan && <PriceMoved ticket={ticket} />}
      {error && (
        <Notice tone="problem" live>
          {error.message}
        </Notice>
      )}
      <Button
        type="submit"
        size="l"
        tone={button.tone}
        // A disabled button would lose the focus at each step, and with it the keyboard user's
        // place.
        aria-disabled={button.disabled}
        className="w-full aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:opacity-100"
        data-testid="ticket-button"
        data-reason={ticket.reason}
      >
        {button.busy && <Spinner />}
        {button.label}
      </Button>
    </div>
  );
}
