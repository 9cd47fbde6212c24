'use client';

import { useState } from 'react';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { FIELD, Field } from '#components/ui/Field.tsx';
import { Moment } from '#components/ui/Moment.tsx';
import type { AdminSettlement } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/operator/operatorApi.ts';
import { ActButton } from './ActButton.tsx';
import { Cell, DataTable } from './DataTable.tsx';
import { Loaded } from './Loaded.tsx';
import { TickerAct } from './TickerAct.tsx';
import { useAdminQuery } from './useAdmin.ts';

/** Markets that the exchange has settled, and how far the vault is with paying for them. */
export function SettlementsPanel() {
  const settlements = useAdminQuery(['settlements'], adminApi.settlements);
  return (
    <div className="grid gap-6">
      <TickerAct
        title="Attest the backing of a market anew"
        label="Attest"
        explain={() =>
          "The attestor says on chain what the books have bought for the market's tokens."
        }
        act={adminApi.attest}
      />
      <Loaded query={settlements}>
        {(data) => (
          <DataTable
            label="Settlements"
            head={['Market', 'State', 'Yes pays', 'Settled', 'Final from', 'Actions']}
            empty="The exchange has settled no market that was traded here."
          >
            {data.settlements.map((one) => (
              <SettlementLine key={one.ticker} settlement={one} />
            ))}
          </DataTable>
        )}
      </Loaded>
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
        <Moment at={settledAt} />
      </Cell>
      <Cell nums>{finalizableAt ? <Moment at={finalizableAt} /> : '–'}</Cell>
      <Cell>{!isOver && <SettlementActs settlement={settlement} />}</Cell>
    </tr>
  );
}

function SettlementActs({ settlement }: { settlement: AdminSettlement }) {
  const { ticker, payoutYes, pending } = settlement;
  const [pays, setPays] = useState(payoutYes);
  return (
    <div className="flex justify-end gap-2">
      {pending && <ConfirmProposal ticker={ticker} pending={pending} />}
      <ActButton
        label="Propose"
        about={ticker}
        explanation={
          <Field
            label="Dollars that a Yes pays"
            hint="As the exchange decided, unless that was wrong: then another admin must confirm it. No pays the rest of the dollar."
          >
            {(id) => (
              <input
                id={id}
                inputMode="decimal"
                value={pays}
                onChange={(event) => setPays(event.target.value)}
                className={`${FIELD} nums`}
              />
            )}
          </Field>
        }
        act={(reason) => adminApi.propose(ticker, pays.trim() || undefined, reason)}
      />
      <ActButton
        label="Make final"
        about={ticker}
        explanation="Holders can redeem from then on. Refused while the delay runs."
        act={(reason) => adminApi.finalize(ticker, reason)}
      />
      <ActButton
        label="Veto"
        tone="no"
        about={ticker}
        explanation="Only PAUSER and ADMIN may stop a proposal, whose keys the service does not have. You are given the call for them to send."
        act={(reason) => adminApi.veto(ticker, reason)}
        onDone={(answer) => <VetoCall call={answer as { to: string; data: string }} />}
      />
    </div>
  );
}

type Pending = NonNullable<AdminSettlement['pending']>;

/** The second admin's part of a payout that is not the exchange's. */
function ConfirmProposal({ ticker, pending }: { ticker: string; pending: Pending }) {
  const { payoutYes, proposedBy, reason } = pending;
  return (
    <ActButton
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
