'use client';

import clsx from 'clsx';
import { useId } from 'react';
import { payoutMicros } from '#lib/browser/trade/quote.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import type { Ticket } from './useTicket.ts';

/** The payout of a purchase that wins. Payout and amount update each other, whichever is typed. */
export function TicketPayout({ ticket }: { ticket: Ticket }) {
  const id = useId();
  const { form, type } = ticket.fields;
  const { quote, settling } = ticket;
  if (form.action === 'sell') return null;
  const isTyped = form.typedInto === 'payout';
  const shown = isTyped ? form.text : quote ? typedMicros(payoutMicros(quote)) : '';
  return (
    <div className="flex items-center justify-between gap-3 text-14">
      <label htmlFor={id}>Max payout</label>
      <span
        className={clsx(
          'flex min-h-11 w-[9rem] max-w-1/2 shrink-0 items-center rounded-md border border-line bg-surface px-3 focus-within:border-accent focus-within:outline-2 focus-within:outline-accent hover:border-line-strong',
          settling && !isTyped && 'stale',
        )}
      >
        <span aria-hidden className="text-ink-3">
          $
        </span>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={shown}
          onChange={(event) => type(event.target.value, 'payout')}
          className="nums min-w-0 flex-1 bg-transparent pl-1 text-right font-medium outline-none placeholder:text-ink-3"
        />
      </span>
    </div>
  );
}
