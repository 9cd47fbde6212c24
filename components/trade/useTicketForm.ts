'use client';

import { useRef, useState } from 'react';
import { type AmountUnit, type ParsedAmount, parseAmount } from '#lib/trade/amount.ts';
import type { TradeAction, TradeSide } from '#lib/trade/quote.ts';
import { preferTicket, type TicketPreferences, useTicketPreferences } from './ticketPreferences.ts';

/** What is typed and chosen for this one trade. */
type TicketFields = { side: TradeSide; action: TradeAction; text: string };

export type TicketForm = TicketFields & TicketPreferences;

/** How long typing rests before a price is asked for. */
const QUOTE_DELAY_MS = 250;

/** Sales are counted in contracts: that is what one has. */
function unitOf(action: TradeAction, preferred: AmountUnit): AmountUnit {
  return action === 'sell' ? 'contracts' : preferred;
}

/** The ticket's fields. `asked` follows the text once typing rests; the rest is immediate. */
export function useTicketForm(initial: Pick<TicketFields, 'side' | 'action'>) {
  const preferences = useTicketPreferences();
  const [fields, setFields] = useState<TicketFields>({ text: '', ...initial });
  const [askedText, setAskedText] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unit = unitOf(fields.action, preferences.unit);
  const form: TicketForm = { ...preferences, ...fields, unit };
  const amount = parseAmount(form.text, unit);
  const asked: ParsedAmount = parseAmount(askedText, unit);

  const apply = (next: TicketFields, delayMs: number) => {
    setFields(next);
    clearTimeout(timer.current);
    if (delayMs === 0) setAskedText(next.text);
    else timer.current = setTimeout(() => setAskedText(next.text), delayMs);
  };

  return {
    form,
    amount,
    asked,
    /** True from a key press until the price of the new amount has been asked for. */
    typing: amount.micros !== asked.micros || amount.state !== asked.state,
    type: (text: string) => apply({ ...fields, text }, QUOTE_DELAY_MS),
    fill: (text: string, filledUnit: AmountUnit) => {
      if (fields.action === 'buy') preferTicket({ unit: filledUnit });
      apply({ ...fields, text }, 0);
    },
    change: (part: Partial<Omit<TicketForm, 'text' | 'unit'>>) => {
      const { side = fields.side, action = fields.action, ...preferred } = part;
      if (Object.keys(preferred).length > 0) preferTicket(preferred);
      const text = action === fields.action ? fields.text : '';
      if (side !== fields.side || action !== fields.action) apply({ side, action, text }, 0);
    },
  };
}
