import { useRef, useState } from 'react';
import { createBrowserStore } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';
import { type AmountUnit, type ParsedAmount, parseAmount } from '#lib/browser/trade/amount.ts';
import type { SlippageBps, TradeAction, TradeSide } from '#lib/browser/trade/quote.ts';

type TicketFields = {
  side: TradeSide;
  action: TradeAction;
  text: string;
  /** The field that holds the typed text; the other field is computed from it. */
  typedInto: 'amount' | 'payout';
};

export type TicketForm = TicketFields &
  TicketPreferences & {
    /** The unit of the text: a payout of a dollar is a contract. */
    askedUnit: AmountUnit;
  };

/** How long typing must pause before a price is requested. */
const QUOTE_DELAY_MS = 200;

/** Sales are counted in contracts: the visitor holds contracts. */
function unitOf(action: TradeAction, preferred: AmountUnit): AmountUnit {
  return action === 'sell' ? 'contracts' : preferred;
}

/** The ticket's fields. `asked` follows the text after a pause in typing; the rest is immediate. */
export function useTicketForm(
  initial: Pick<TicketFields, 'side' | 'action'>,
  /** What a share such as "50%" refers to. */
  wholeMicros: (fields: Pick<TicketFields, 'side' | 'action'>) => bigint,
) {
  const preferences = useTicketPreferences();
  const [fields, setFields] = useState<TicketFields>({
    text: '',
    typedInto: 'amount',
    ...initial,
  });
  const [askedText, setAskedText] = useState('');
  // A key that follows a change at once must not undo it: the page may not have rendered it yet.
  const latest = useRef(fields);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unit = unitOf(fields.action, preferences.unit);
  const askedUnit = fields.typedInto === 'payout' ? 'contracts' : unit;
  const form: TicketForm = { ...preferences, ...fields, unit, askedUnit };
  const whole = fields.typedInto === 'payout' ? 0n : wholeMicros(fields);
  const amount = parseAmount(form.text, askedUnit, whole);
  const asked: ParsedAmount = parseAmount(askedText, askedUnit, whole);

  const apply = (part: Partial<TicketFields>, delayMs: number) => {
    const next = { ...latest.current, ...part };
    latest.current = next;
    setFields(next);
    clearTimeout(timer.current);
    if (delayMs === 0) setAskedText(next.text);
    else timer.current = setTimeout(() => setAskedText(next.text), delayMs);
  };

  return {
    form,
    amount,
    asked,
    /** True from a key press until the price of the new amount has been requested. */
    typing: amount.micros !== asked.micros || amount.state !== asked.state,
    type: (text: string, typedInto: TicketFields['typedInto'] = 'amount') =>
      apply({ text, typedInto }, QUOTE_DELAY_MS),
    fill: (text: string, filledUnit: AmountUnit) => {
      if (latest.current.action === 'buy') preferTicket({ unit: filledUnit });
      apply({ text, typedInto: 'amount' }, 0);
    },
    clear: () => apply({ text: '', typedInto: 'amount' }, 0),
    change: (
      part: Partial<Pick<TicketForm, 'side' | 'action' | 'execution' | 'slippageBps' | 'onePress'>>,
    ) => {
      const now = latest.current;
      const { side = now.side, action = now.action, ...preferred } = part;
      if (Object.keys(preferred).length > 0) preferTicket(preferred);
      if (side === now.side && action === now.action) return;
      const emptied = action === now.action ? {} : ({ text: '', typedInto: 'amount' } as const);
      apply({ side, action, ...emptied }, 0);
    },
  };
}

type TicketPreferences = {
  execution: 'forMe' | 'self';
  slippageBps: SlippageBps;
  unit: AmountUnit;
  /** Places orders without a confirmation. */
  onePress: boolean;
};

export const SLIPPAGES = [50, 100, 200, 500] as const;

const USUAL: TicketPreferences = {
  execution: 'forMe',
  slippageBps: 200,
  unit: 'dollars',
  onePress: false,
};

function readPreferences(value: unknown): TicketPreferences | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { execution, slippageBps, unit, onePress } = value as Record<string, unknown>;
  return {
    execution: execution === 'self' ? 'self' : 'forMe',
    slippageBps: SLIPPAGES.find((bps) => bps === slippageBps) ?? USUAL.slippageBps,
    unit: unit === 'contracts' ? 'contracts' : 'dollars',
    onePress: onePress === true,
  };
}

const store = createBrowserStore('crossbook.ticket', USUAL, readPreferences);

function useTicketPreferences(): TicketPreferences {
  return useStore(store, USUAL);
}

function preferTicket(part: Partial<TicketPreferences>): void {
  store.set({ ...store.get(), ...part });
}
