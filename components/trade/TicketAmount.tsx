import clsx from 'clsx';
import { useId } from 'react';
import { type AmountUnit, spendableMicros } from '#lib/browser/trade/amount.ts';
import { payoutMicros } from '#lib/browser/trade/quote.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { contracts, dollarsDown } from '#lib/format/money.ts';
import { MICROS, snap } from '#lib/money.ts';
import type { Ticket } from './useTicket.ts';

export function TicketAmount({ ticket }: { ticket: Ticket }) {
  const id = useId();
  const { form, type, fill } = ticket.fields;
  const { context } = ticket;
  const inDollars = form.unit === 'dollars';
  const shown = shownAmount(ticket);
  const available =
    form.action === 'buy'
      ? `${dollarsDown(context.cashMicros)} available`
      : `${contracts(context.heldContractMicros)} held`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-baseline justify-between gap-3 text-14">
        <label htmlFor={id} className="font-medium">
          {inDollars ? 'Amount' : 'Contracts'}
        </label>
        {ticket.visitor.account && <span className="nums text-13 text-ink-3">{available}</span>}
      </div>
      <div className="flex items-center rounded-md border border-line bg-surface focus-within:border-accent focus-within:outline-2 focus-within:outline-accent hover:border-line-strong">
        {inDollars && (
          <span aria-hidden className="pl-4 font-medium text-22 text-ink-3">
            $
          </span>
        )}
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={shown}
          // The field has its own dollar sign.
          onChange={(event) => type(event.target.value.replace(/^\s*\$/, ''))}
          className="nums min-h-14 min-w-0 flex-1 bg-transparent px-2 pl-3 font-medium text-22 outline-none placeholder:text-ink-3"
        />
        {form.action === 'buy' && (
          <button
            type="button"
            aria-label={inDollars ? 'in dollars, change' : 'in contracts, change'}
            onClick={() => fill(shown, inDollars ? 'contracts' : 'dollars')}
            className="mr-1.5 min-h-11 rounded-sm px-3 text-13 text-ink-2 hover:bg-sunken hover:text-ink"
          >
            {inDollars ? 'in dollars' : 'in contracts'}
          </button>
        )}
      </div>
      <Chips ticket={ticket} onPick={fill} />
    </div>
  );
}

function shownAmount({ fields: { form }, quote }: Ticket): string {
  if (form.typedInto === 'amount') return form.text;
  if (form.unit === 'contracts') return form.text;
  return quote ? typedMicros(quote.totalUsdcMicros) : '';
}

type ChipsProps = { ticket: Ticket; onPick: (text: string, unit: AmountUnit) => void };

const ADDED = [1, 20, 100] as const;

function Chips({ ticket, onPick }: ChipsProps) {
  const { form, amount } = ticket.fields;
  const { cashMicros, heldContractMicros: held } = ticket.context;
  if (form.action === 'buy') {
    const counts = form.askedUnit === 'dollars' && amount.state === 'ok';
    const already = counts ? amount.micros : 0n;
    const add = (dollarsMore: number) => typedMicros(already + BigInt(dollarsMore) * MICROS);
    const most = spendableMicros(cashMicros);
    return (
      <div className="flex flex-wrap gap-1.5">
        {ADDED.map((more) => (
          <Chip key={more} onClick={() => onPick(add(more), 'dollars')}>{`+$${more}`}</Chip>
        ))}
        {most > 0n && <Chip onClick={() => onPick(typedMicros(most), 'dollars')}>Max</Chip>}
      </div>
    );
  }
  if (held === 0n) return null;
  const part = (quarters: bigint) => typedMicros(snap((held * quarters) / 4n, 10_000n, 'down'));
  return (
    <div className="flex flex-wrap gap-1.5">
      <Chip onClick={() => onPick(part(1n), 'contracts')}>25%</Chip>
      <Chip onClick={() => onPick(part(2n), 'contracts')}>50%</Chip>
      <Chip onClick={() => onPick(part(4n), 'contracts')}>All</Chip>
    </div>
  );
}

function Chip({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="nums min-h-11 flex-1 rounded-md border border-line px-2 text-14 text-ink-2 hover:border-line-strong hover:text-ink md:min-h-9"
    >
      {children}
    </button>
  );
}

/**
 * The payout of a purchase that wins. Payout and amount update each other, whichever is typed. A
 * scalar market does not pay all or nothing: its figures name the expected payout.
 */
export function TicketPayout({ ticket }: { ticket: Ticket }) {
  const id = useId();
  const { form, type } = ticket.fields;
  const { quote, settling } = ticket;
  if (form.action === 'sell' || ticket.market.isScalar) return null;
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
