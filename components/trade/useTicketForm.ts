'use client';

import { useRef, useState } from 'react';
import { type AmountUnit, type ParsedAmount, parseAmount } from '#lib/trade/amount.ts';
import type { SlippageBps, TradeAction, TradeSide } from '#lib/trade/quote.ts';

export type TicketForm = {
  side: TradeSide;
  action: TradeAction;
  unit: AmountUnit;
  text: string;
  execution: 'forMe' | 'self';
  slippageBps: SlippageBps;
};

/** How long typing rests before a price is asked for. */
const QUOTE_DELAY_MS = 250;

/** The ticket's fields. `asked` follows the amount once typing rests; the rest is immediate. */
export function useTicketForm(initial: Pick<TicketForm, 'side' | 'action'>) {
  const [form, setForm] = useState<TicketForm>({
    unit: initial.action === 'buy' ? 'dollars' : 'contracts',
    text: '',
    execution: 'forMe',
    slippageBps: 200,
    ...initial,
  });
  const amount = parseAmount(form.text, form.unit);
  const [asked, setAsked] = useState<ParsedAmount>(amount);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const apply = (next: TicketForm, delayMs: number) => {
    setForm(next);
    clearTimeout(timer.current);
    const parsed = parseAmount(next.text, next.unit);
    if (delayMs === 0) setAsked(parsed);
    else timer.current = setTimeout(() => setAsked(parsed), delayMs);
  };

  return {
    form,
    amount,
    asked,
    /** True from a key press until the price of the new amount has been asked for. */
    typing: amount.micros !== asked.micros || amount.state !== asked.state,
    type: (text: string) => apply({ ...form, text }, QUOTE_DELAY_MS),
    fill: (text: string, unit: AmountUnit) => apply({ ...form, text, unit }, 0),
    change: (part: Partial<Omit<TicketForm, 'text' | 'unit'>>) => {
      const sameAction = part.action === undefined || part.action === form.action;
      const unit = sameAction ? form.unit : part.action === 'sell' ? 'contracts' : 'dollars';
      apply({ ...form, ...part, unit, text: sameAction ? form.text : '' }, 0);
    },
  };
}
