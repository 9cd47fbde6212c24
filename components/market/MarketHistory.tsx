import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useApp } from '#components/app/useApp.ts';
import { OpenOrders } from '#components/order/OpenOrders.tsx';
import { activityKind, progressWords } from '#components/order/orderView.ts';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { ownTrades, ownTradesQuery } from '#lib/browser/market/ownTrades.ts';
import { centsRounded, contractsRounded, dollarsSigned } from '#lib/format/money.ts';
import { ofSide } from '#lib/market/worthNow.ts';
import { parseMicros } from '#lib/money.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';

type MarketHistoryProps = { ticker: string; label?: string | undefined };

/** The visitor's open orders and what they traded in one market. */
export function MarketHistory({ ticker, label }: MarketHistoryProps) {
  const { api } = useApp();
  const { account } = useVisitor();
  const { data } = useQuery({
    ...ownTradesQuery(api, account?.smartAccountAddress ?? '', ticker),
    enabled: account !== undefined,
  });
  const past = (data?.items ?? []).filter(
    ({ status }) => status === 'completed' || status === 'failed',
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 empty:hidden">
      <OpenOrders ticker={ticker} label={label} />
      {past.length > 0 && <Entries title="Your history" label={label} items={past} />}
    </div>
  );
}

type EntriesProps = { title: string; label: string | undefined; items: ActivityItem[] };

function Entries({ title, label, items }: EntriesProps) {
  return (
    <section aria-label={label ? `${title}, ${label}` : title}>
      <h2 className="mb-3 font-semibold text-17">
        {title}
        {label && (
          <span className="wrap-anywhere block font-normal text-14 text-ink-2">{label}</span>
        )}
      </h2>
      <FigureTable columns={['Order', 'Contracts', 'Amount', 'Time']} caption={title}>
        <tbody>
          {items.map((item) => (
            <Entry key={item.id} item={item} />
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}

const VERBS: Partial<Record<ActivityItem['kind'], string>> = {
  buy: 'Buy',
  sell: 'Sell',
  redeem: 'Redeem',
  withdrawal: 'Withdraw',
  transfer_in: 'Received',
  transfer_out: 'Sent',
};

function Entry({ item }: { item: ActivityItem }) {
  const side = item.side === 'no' ? 'No' : 'Yes';
  const words = `${VERBS[item.kind] ?? ''} ${side}`;
  return (
    <tr className="[&>td]:border-t">
      <td className="font-medium">
        <span className={clsx(item.side === 'no' ? 'text-no' : 'text-yes')}>
          {item.orderId ? (
            <PageLink href={`/orders/${item.orderId}`} className={TEXT_LINK}>
              {words}
            </PageLink>
          ) : (
            words
          )}
        </span>
        {item.status !== 'completed' && (
          <span className="block font-normal text-13 text-ink-3">
            {progressWords({ ...item, kind: activityKind(item) })}
          </span>
        )}
      </td>
      <td className="text-right">
        {item.contracts === null ? '–' : contractsRounded(parseMicros(item.contracts))}
        <Price item={item} />
      </td>
      <td className="whitespace-nowrap text-right">
        {item.usdc === null ? '–' : dollarsSigned(signedMicros(item.usdc))}
      </td>
      <td className="text-right text-ink-2">
        <LocalTime at={item.at} />
      </td>
    </tr>
  );
}

function Price({ item }: { item: ActivityItem }) {
  const [trade] = ownTrades([item]);
  if (!trade) return null;
  const price = centsRounded(ofSide(trade.yesPriceMicros, trade.side));
  return <span className="whitespace-nowrap text-ink-2"> at {price}</span>;
}
