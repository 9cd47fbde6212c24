'use client';

import dynamic from 'next/dynamic';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { TicketMessages } from './TicketMessages.tsx';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

// A price that moves was there before, and its figures with it.
const PriceMoved = dynamic(() => import('./QuotedTicket.tsx').then((m) => m.PriceMoved));

/**
 * The one button with what there is to say of it. It stays at the bottom while the ticket scrolls,
 * and an answer to a press must not be hidden behind it.
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
        // Disabled, it would lose the focus at each step, and with it whoever uses the keyboard.
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
