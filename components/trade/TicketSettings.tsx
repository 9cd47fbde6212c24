import type { ReactNode } from 'react';
import { SwitchField } from '#components/ui/Field.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { Ticket } from './useTicket.ts';
import { SLIPPAGES } from './useTicketForm.ts';

/** How market orders are placed. Loaded when the visitor opens it. */
export function TicketSettings({ ticket }: { ticket: Ticket }) {
  const { form, change } = ticket.fields;
  return (
    <div className="grid gap-4 pt-2 pb-1">
      <ExecutionChoice ticket={ticket}>
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
      </ExecutionChoice>
    </div>
  );
}

/** Who sends orders, and whether they are confirmed. */
export function ExecutionChoice({ ticket, children }: { ticket: Ticket; children?: ReactNode }) {
  const { form, change } = ticket.fields;
  if (ticket.walletPays) {
    return (
      <>
        <p className="text-13 text-ink-3">
          Your wallet pays this first order, and you sign it. Once you have an account, Crossbook
          can place orders for you.
        </p>
        {children}
      </>
    );
  }
  return (
    <>
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
            ? 'Crossbook places the order within the limits of your trading permission, and pays the network fee.'
            : ticket.isRelayed
              ? 'You review every call and sign them in one message. Crossbook sends the order and pays the network fee.'
              : 'Your wallet sends the order from your smart account. You review every call before you sign, and you pay the network fee.'}
        </p>
      </div>
      {children}
      {form.execution === 'forMe' && (
        <SwitchField isOn={form.onePress} onChange={(onePress) => change({ onePress })}>
          One-press trading, without a confirmation
        </SwitchField>
      )}
    </>
  );
}
