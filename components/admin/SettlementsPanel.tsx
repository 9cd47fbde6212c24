import { useState } from 'react';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { TextField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { AdminSettlement } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { ActionButton, TickerAction } from './ActionButton.tsx';
import { ActionCell, Cell, QueryTable } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

export function SettlementsPanel() {
  const settlements = useAdminQuery(['settlements'], adminApi.settlements);
  return (
    <div className="grid gap-6">
      <TickerAction
        title="Attest a market’s backing"
        label="Attest"
        explain={() => 'The attestor records on chain how many contracts back the market’s tokens.'}
        act={adminApi.attest}
      />
      <QueryTable
        query={settlements}
        label="Settlements"
        head={['Market', 'State', 'Yes pays', 'Resolved', 'Final from', 'Actions']}
        empty="No traded market has been resolved by the exchange."
      >
        {(data) =>
          data.settlements.map((one) => <SettlementLine key={one.ticker} settlement={one} />)
        }
      </QueryTable>
    </div>
  );
}

function SettlementLine({ settlement }: { settlement: AdminSettlement }) {
  const { ticker, state, payoutYes, settledAt, finalizableAt } = settlement;
  const isOver = state === 'final' || state === 'not_needed';
  return (
    <tr>
      <Cell>{ticker}</Cell>
      <Cell>
        <span className={state === 'held' ? 'font-medium text-no' : undefined}>{state}</span>
      </Cell>
      <Cell nums>{payoutYes}</Cell>
      <Cell nums>
        <LocalTime at={settledAt} />
      </Cell>
      <Cell nums>{finalizableAt ? <LocalTime at={finalizableAt} /> : '–'}</Cell>
      <ActionCell>{!isOver && <SettlementActs settlement={settlement} />}</ActionCell>
    </tr>
  );
}

function SettlementActs({ settlement }: { settlement: AdminSettlement }) {
  const { ticker, payoutYes, pending } = settlement;
  const [pays, setPays] = useState(payoutYes);
  return (
    <>
      {pending && <ConfirmProposal ticker={ticker} pending={pending} />}
      <ActionButton
        label="Propose"
        about={ticker}
        explanation={
          <TextField
            label="Payout per Yes contract, in dollars"
            hint="The exchange’s result by default. Another admin must confirm a different payout. No pays the rest of the dollar."
            inputMode="decimal"
            value={pays}
            onChange={setPays}
            className="nums"
          />
        }
        act={(reason) => adminApi.propose(ticker, pays.trim() || undefined, reason)}
      />
      <ActionButton
        label="Make final"
        about={ticker}
        explanation="Holders can redeem from then on. Refused until the delay has passed."
        act={(reason) => adminApi.finalize(ticker, reason)}
      />
      <ActionButton
        label="Veto"
        tone="no"
        about={ticker}
        explanation="Only PAUSER and ADMIN can veto a proposal, and the service does not hold their keys. You get the call for them to send."
        act={(reason) => adminApi.veto(ticker, reason)}
        onDone={(response) => <VetoCall call={response as { to: string; data: string }} />}
      />
    </>
  );
}

type Pending = NonNullable<AdminSettlement['pending']>;

function ConfirmProposal({ ticker, pending }: { ticker: string; pending: Pending }) {
  const { payoutYes, proposedBy, reason } = pending;
  return (
    <ActionButton
      label="Confirm"
      about={ticker}
      explanation={`${proposedBy} proposed that a Yes pays $${payoutYes}, which is not the exchange's result: “${reason}”. Another admin must confirm it.`}
      act={(why) => adminApi.confirmProposal(ticker, payoutYes, why)}
    />
  );
}

function VetoCall({ call }: { call: { to: string; data: string } }) {
  return (
    <dl className="grid gap-3 text-14">
      {Object.entries(call).map(([name, value]) => (
        <div key={name}>
          <dt className="flex items-center gap-1 text-ink-2">
            {name} <CopyButton text={value} label={`Copy ${name}`} />
          </dt>
          <dd className="wrap-anywhere font-mono text-13">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
