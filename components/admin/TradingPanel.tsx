'use client';

import { Moment } from '#components/ui/Moment.tsx';
import type { Suspension } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/operator/operatorApi.ts';
import { ActButton } from './ActButton.tsx';
import { Cell, DataTable } from './DataTable.tsx';
import { Loaded } from './Loaded.tsx';
import { TickerAct } from './TickerAct.tsx';
import { useAdminQuery } from './useAdmin.ts';

const EVERY_MARKET = '*';

/** What takes no new orders: everything, or single markets. */
export function TradingPanel() {
  const suspensions = useAdminQuery(['suspensions'], adminApi.suspensions);
  return (
    <Loaded query={suspensions}>
      {(data) => (
        <div className="grid gap-6">
          <Everything isPaused={data.suspensions.some((one) => one.ticker === EVERY_MARKET)} />
          <TickerAct
            title="Suspend a market"
            label="Suspend"
            explain={(ticker) => `${ticker} takes no new orders until somebody lifts it.`}
            act={adminApi.suspend}
          />
          <DataTable
            label="Suspensions"
            head={['Market', 'Why', 'By', 'Since', 'Actions']}
            empty="Every market takes orders while it is open."
          >
            {data.suspensions.map((one) => (
              <SuspensionLine key={`${one.ticker} ${one.suspendedBy}`} suspension={one} />
            ))}
          </DataTable>
        </div>
      )}
    </Loaded>
  );
}

function Everything({ isPaused }: { isPaused: boolean }) {
  return (
    <div className="sheet flex flex-wrap items-center justify-between gap-4 p-4">
      <div>
        <p className="font-medium">{isPaused ? 'Trading is paused' : 'Trading goes on'}</p>
        <p className="max-w-prose text-14 text-ink-2">
          A pause refuses new orders everywhere and sends back those that the exchange has not been
          asked for. Deliveries, refunds, redemptions and withdrawals go on.
        </p>
      </div>
      {isPaused ? (
        <ActButton
          label="Resume trading"
          tone="primary"
          explanation="Orders are taken again; markets that are suspended one by one stay so."
          act={(reason) => adminApi.lift(undefined, reason)}
        />
      ) : (
        <ActButton
          label="Pause everything"
          tone="no"
          explanation="No market takes new orders until somebody resumes trading."
          act={(reason) => adminApi.suspend(undefined, reason)}
        />
      )}
    </div>
  );
}

function SuspensionLine({ suspension }: { suspension: Suspension }) {
  const { ticker, reason, suspendedBy, suspendedAt } = suspension;
  const isEverything = ticker === EVERY_MARKET;
  return (
    <tr>
      <Cell>{isEverything ? 'Every market' : ticker}</Cell>
      <Cell>{reason}</Cell>
      <Cell>{suspendedBy}</Cell>
      <Cell nums>
        <Moment at={suspendedAt} />
      </Cell>
      <Cell>
        {!isEverything && (
          <div className="flex justify-end">
            <ActButton
              label="Lift"
              about={ticker}
              explanation="It takes orders again. The next comparison suspends it anew if it still differs."
              act={(why) => adminApi.lift(ticker, why)}
            />
          </div>
        )}
      </Cell>
    </tr>
  );
}
