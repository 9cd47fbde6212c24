'use client';

import { Notice } from '#components/ui/Notice.tsx';
import { priceImpactMicros, type TicketWarning, ticketWarnings } from '#lib/browser/trade/quote.ts';
import { centsRounded } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

/** Warnings before the order; none of them blocks it. */
export function TicketWarnings({ ticket }: { ticket: Ticket }) {
  const { quote, context, settling } = ticket;
  if (!quote || settling || !quote.fillable) return null;
  const { action } = ticket.fields.form;
  const words: Record<TicketWarning, string> = {
    largeImpact: `High price impact: this order moves the price by ${centsRounded(priceImpactMicros(quote, action))}.`,
    largeShare: 'This order uses more than half of your cash.',
    hardlyPays: 'Even if you are right, the payout does not exceed the cost.',
  };
  return ticketWarnings(quote, action, context.cashMicros).map((warning) => (
    <Notice key={warning} tone="caution">
      {words[warning]}
    </Notice>
  ));
}
