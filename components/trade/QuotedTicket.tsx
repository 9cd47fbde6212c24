'use client';

import { Notice } from '#components/ui/Notice.tsx';
import { dollars } from '#lib/format/money.ts';
import { TicketFigures } from './TicketFigures.tsx';
import { TicketWarnings } from './TicketWarnings.tsx';
import type { Ticket } from './useTicket.ts';

/** The details of a quote: the figures and the warnings. */
export function QuotedTicket({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <TicketFigures ticket={ticket} />
      <TicketWarnings ticket={ticket} />
    </>
  );
}

/** The old and new price; nothing has happened until the user accepts it. */
export function PriceMoved({ ticket }: { ticket: Ticket }) {
  const { quote, order, fields } = ticket;
  if (!order.worseThan || !quote) return null;
  const verb = fields.form.action === 'buy' ? 'pay' : 'receive';
  return (
    <Notice tone="caution" title="The price has moved" live>
      You {verb} {dollars(quote.totalUsdcMicros)} instead of{' '}
      {dollars(order.worseThan.totalUsdcMicros)}. No order was placed.
    </Notice>
  );
}
