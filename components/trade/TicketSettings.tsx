'use client';

import { ChevronDown } from 'lucide-react';
import { Segmented } from '#components/ui/Segmented.tsx';
import { SLIPPAGES } from './ticketPreferences.ts';
import type { Ticket } from './useTicket.ts';

/** Who sends the order, and the slippage. */
export function TicketSettings({ ticket }: { ticket: Ticket }) {
  const { form, change } = ticket.fields;
  return (
    <details className="group border-t pt-3 text-14">
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-sm text-ink-2 hover:text-ink md:min-h-9 [&::-webkit-details-marker]:hidden">
        <span>
          {form.execution === 'forMe' ? 'No gas fee' : 'You pay gas'} · max slippage{' '}
          <span className="nums">{form.slippageBps / 100}%</span>
        </span>
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-4 pt-2 pb-1">
        <div>
          <Segmented
            legend="Order execution"
            value={form.execution}
            onChange={(execution) => change({ execution })}
            options={[
              { value: 'forMe', label: 'Place for me' },
              { value: 'self', label: 'Sign it myself' },
            ]}
          />
          <p className="mt-2 text-13 text-ink-3">
            {form.execution === 'forMe'
              ? 'Crossbook places the order within the limits of your trading permission, and pays the gas.'
              : 'Your wallet sends the order from your smart account. You review every call before you sign, and you pay the gas fee.'}
          </p>
        </div>
        <label className="flex items-center justify-between gap-3">
          <span className="text-ink-2">Max slippage</span>
          <select
            value={form.slippageBps}
            onChange={(event) => change({ slippageBps: Number(event.target.value) })}
            className="nums min-h-11 rounded-md border border-line bg-surface px-3 hover:border-line-strong"
          >
            {SLIPPAGES.map((bps) => (
              <option key={bps} value={bps}>
                {bps / 100}%
              </option>
            ))}
          </select>
        </label>
      </div>
    </details>
  );
}
