import Link from 'next/link';
import type { ReactNode } from 'react';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { AdminOverview } from '#lib/api/schemas/admin.ts';
import { adminApi } from '#lib/browser/admin/adminApi.ts';
import { duration } from '#lib/format/duration.ts';
import { Cell, DataTable, QueryResult } from './DataTable.tsx';
import { useAdminQuery } from './useAdmin.ts';

export function OverviewPanel() {
  const overview = useAdminQuery(['overview'], adminApi.overview);
  return <QueryResult query={overview}>{(data) => <Overview data={data} />}</QueryResult>;
}

function Overview({ data }: { data: AdminOverview }) {
  return (
    <div className="grid gap-6">
      {data.paused && (
        <Notice tone="caution" title="Trading is paused">
          No market accepts new orders.{' '}
          <Link href="/operator?view=trading" className="underline underline-offset-4">
            Resume trading
          </Link>
        </Notice>
      )}
      <dl className="grid gap-px overflow-hidden rounded-md border bg-line md:grid-cols-5 max-md:grid-cols-2">
        <Count label="Open alerts" view="alerts" value={data.openAlerts} />
        <Count label="Dead letters" view="orders" value={data.deadLetters} />
        <Count label="Failing steps" view="orders" value={data.failingOrders} />
        <Count label="Markets suspended" view="trading" value={data.suspendedMarkets} />
        <Count
          label="Most overdue"
          view="orders"
          value={data.overdueSeconds}
          shown={duration(data.overdueSeconds * 1_000)}
        />
      </dl>
      <DataTable
        label="Open orders by stage"
        head={['Stage', 'Open', 'Oldest', 'USDC', 'Contracts']}
        empty="No open orders."
      >
        {data.stages.map((one) => (
          <tr key={one.stage}>
            <Cell>{one.stage}</Cell>
            <Cell nums>{one.open}</Cell>
            <Cell nums>{one.open > 0 ? duration(one.oldestSeconds * 1_000) : '–'}</Cell>
            <Cell nums>{one.usdc}</Cell>
            <Cell nums>{one.contracts}</Cell>
          </tr>
        ))}
      </DataTable>
      <DataTable
        label="Cash per shard of the exchange"
        head={['Shard', 'Name', 'USDC', 'Arriving', 'Trading', 'Read at']}
        empty="No shard has been read yet."
      >
        {data.shards.map((one) => (
          <tr key={one.shard}>
            <Cell nums>{one.shard}</Cell>
            <Cell>{one.name || '–'}</Cell>
            <Cell nums>{one.usdc}</Cell>
            <Cell nums>{one.arrivingUsdc}</Cell>
            <Cell>{one.tradingActive ? 'yes' : 'paused'}</Cell>
            <Cell nums>
              <LocalTime at={one.readAt} format="clock" />
            </Cell>
          </tr>
        ))}
      </DataTable>
      <Books reconciliation={data.reconciliation} />
    </div>
  );
}

type CountProps = { label: string; view: string; value: number; shown?: ReactNode };

function Count({ label, view, value, shown }: CountProps) {
  return (
    <div className="bg-surface p-4 max-md:last:col-span-2">
      <dt className="eyebrow">{label}</dt>
      <dd className="nums mt-1 font-semibold text-22">
        <Link
          href={`/operator?view=${view}`}
          className={value > 0 ? 'text-no underline underline-offset-4' : 'text-ink'}
        >
          {shown ?? value}
        </Link>
      </dd>
    </div>
  );
}

const BOOKS = {
  ok: 'Books, exchange and chain agree.',
  differences: 'Books, exchange and chain differ.',
  failing: 'Books, exchange and chain could not be compared.',
  pending: 'Books, exchange and chain have not been compared yet.',
};

function Books({ reconciliation }: Pick<AdminOverview, 'reconciliation'>) {
  const { status, checkedAt, differences } = reconciliation;
  const isFine = status === 'ok' || status === 'pending';
  return (
    <Notice tone={isFine ? 'plain' : 'problem'} title={BOOKS[status]}>
      {checkedAt && (
        <p>
          Checked at <LocalTime at={checkedAt} format="clock" />.
        </p>
      )}
      <ul className="mt-1 grid gap-1">
        {differences.map((one) => (
          <li key={`${one.kind} ${one.subject}`}>
            <span className="font-medium">{one.kind}</span> {one.subject}: {one.explanation}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
