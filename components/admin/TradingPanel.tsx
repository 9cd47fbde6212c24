import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { Suspension } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { ActionButton, TickerAction } from './ActionButton.tsx';
import { ActionCell, Cell, DataTable, QueryResult } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

const EVERY_MARKET = '*';

export function TradingPanel() {
  const suspensions = useAdminQuery(['suspensions'], adminApi.suspensions);
  return (
    <QueryResult query={suspensions}>
      {(data) => (
        <div className="grid gap-6">
          <Everything isPaused={data.suspensions.some((one) => one.ticker === EVERY_MARKET)} />
          <TickerAction
            title="Suspend a market"
            label="Suspend"
            explain={(ticker) =>
              `${ticker} accepts no new orders until an admin lifts the suspension.`
            }
            act={adminApi.suspend}
          />
          <DataTable
            label="Suspensions"
            head={['Market', 'Reason', 'By', 'Since', 'Actions']}
            empty="No suspended markets."
          >
            {data.suspensions.map((one) => (
              <SuspensionLine key={`${one.ticker} ${one.suspendedBy}`} suspension={one} />
            ))}
          </DataTable>
        </div>
      )}
    </QueryResult>
  );
}

function Everything({ isPaused }: { isPaused: boolean }) {
  return (
    <div className="sheet flex flex-wrap items-center justify-between gap-4 p-4">
      <div>
        <p className="font-medium">{isPaused ? 'Trading is paused' : 'Trading is active'}</p>
        <p className="max-w-prose text-14 text-ink-2">
          A pause rejects all new orders and returns those not yet sent to the exchange. Deliveries,
          refunds, redemptions and withdrawals continue.
        </p>
      </div>
      {isPaused ? (
        <ActionButton
          label="Resume trading"
          tone="primary"
          explanation="Orders are accepted again. Individually suspended markets stay suspended."
          act={(reason) => adminApi.lift(undefined, reason)}
        />
      ) : (
        <ActionButton
          label="Pause everything"
          tone="no"
          explanation="No market accepts new orders until an admin resumes trading."
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
        <LocalTime at={suspendedAt} />
      </Cell>
      <ActionCell>
        {!isEverything && (
          <ActionButton
            label="Lift"
            about={ticker}
            explanation="Orders are accepted again. If the books still differ, the next reconciliation suspends it again."
            act={(why) => adminApi.lift(ticker, why)}
          />
        )}
      </ActionCell>
    </tr>
  );
}
