'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useDeferredValue } from 'react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { SecondOwnerReminder } from '#components/owners/SecondOwnerReminder.tsx';
import { Button } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { LoadFailed, PendingPage } from '#components/ui/LoadStates.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { loadPart } from '#components/ui/loadPart.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { rememberedAccount } from '#lib/browser/account/rememberedAccount.ts';
import {
  allClosed,
  type ClosedView,
  closedView,
  withoutLost,
} from '#lib/browser/portfolio/closedView.ts';
import { withoutSmall } from '#lib/browser/portfolio/smallPositions.ts';
import { FIRST_VALUE_RANGE } from '#lib/browser/portfolio/valuePoints.ts';
import {
  closedPositionsQuery,
  portfolioHistoryQuery,
  portfolioQuery,
  settingsQuery,
} from '#lib/browser/queries/account.ts';
import { useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { contractsRounded, dollars, dollarsDown } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { sortPositions } from '#lib/portfolio/positionOrder.ts';
import {
  groupOf,
  type PositionGroup,
  type PositionView,
  positionView,
  redeemableOf,
  signedMicros,
} from '#lib/portfolio/positionView.ts';
import { Amount, PnL } from './Amount.tsx';
import { PortfolioToolbar } from './PortfolioToolbar.tsx';
import { PortfolioTotals } from './PortfolioTotals.tsx';
import {
  PlainHeads,
  PositionCell,
  PositionList,
  PositionRow,
  PositionRows,
  PositionTable,
} from './PositionList.tsx';
import { type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';
import { useRedeem } from './useRedeem.ts';
import { ValueChart } from './ValueChart.tsx';

type PortfolioViewProps = { filter: PortfolioFilter };

export function PortfolioView(props: PortfolioViewProps) {
  useEarlyRequests();
  return (
    <ConnectPrompt what="your portfolio" pending={<PortfolioPending />}>
      <SecondOwnerReminder />
      <Portfolio {...props} />
    </ConnectPrompt>
  );
}

/** The portfolio renders a moment after its page: what it shows is on the way by then. */
function useEarlyRequests(): void {
  const { api } = useApp();
  const { address = '', isKnown } = useAccountAddress();
  const held = portfolioQuery(api, address);
  const history = portfolioHistoryQuery(api, address, FIRST_VALUE_RANGE);
  useQuery({ ...held, enabled: isKnown, refetchInterval: false, notifyOnChangeProps: [] });
  useQuery({ ...history, enabled: isKnown, refetchInterval: false, notifyOnChangeProps: [] });
}

/** The visitor's smart account, from the last visit until the service has answered. */
function useAccountAddress() {
  const { wallet, account } = useVisitor();
  const address = account?.smartAccountAddress ?? rememberedAccount(wallet.address);
  return { address, isKnown: address !== undefined };
}

function Portfolio({ filter }: PortfolioViewProps) {
  const { account } = useVisitor();
  const { positions, closed, realisedMicros, hasFailed, retry } = usePortfolio();
  // The list is large: it renders in parts, so that the page responds in between.
  const isKnown = useDeferredValue(account !== undefined && positions !== undefined, false);
  if (hasFailed) {
    return (
      <LoadFailed title="Your portfolio could not be loaded" retry={retry}>
        Your funds are on chain and not affected.
      </LoadFailed>
    );
  }
  if (!account || !positions || !isKnown) return <PortfolioPending />;
  const { held, lost } = withoutLost(positions);
  const lostMicros = lost.reduce((sum, { profitMicros }) => sum + (profitMicros ?? 0n), 0n);
  const cashMicros = parseMicros(account.balances.usdc);
  const inOrdersMicros = parseMicros(account.balances.inOrders ?? '0');
  const isNew = !account.deployed && cashMicros === 0n && positions.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <PortfolioTotals
        cashMicros={cashMicros}
        inOrdersMicros={inOrdersMicros}
        positions={held}
        realisedMicros={realisedMicros === undefined ? undefined : realisedMicros + lostMicros}
      />
      <RedeemBanner positions={held} />
      {!isNew && (
        <ValueChart
          address={account.smartAccountAddress}
          nowMicros={held.reduce((sum, one) => sum + one.valueMicros, cashMicros + inOrdersMicros)}
        />
      )}
      {!isNew && <PortfolioToolbar filter={filter} smallCount={withoutSmall(held).smallCount} />}
      {filter.show === 'held' && isNew && <NoFunds />}
      {filter.show === 'held' && !isNew && <HeldPositions positions={held} filter={filter} />}
      {filter.show === 'open' && <AllOpenOrders />}
      {filter.show === 'closed' && closed && <ClosedList positions={allClosed(closed, lost)} />}
      {filter.show === 'closed' && !closed && (
        <div className="skeleton h-40" role="status" aria-label="Loading" />
      )}
      {!isNew && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-14">
          <PageLink
            href="/activity"
            className="tap underline decoration-line-strong underline-offset-4"
          >
            All activity
          </PageLink>
          <CsvButton name="portfolio" query={{ address: account.owner }} />
          <span className="text-13 text-ink-3">
            Valued at the best bid, in USDC.
            {held.some(({ isLastPrice }) => isLastPrice) &&
              ' Positions awaiting a result are valued at their last price.'}
            {held.some(({ isUnpriced }) => isUnpriced) &&
              ' Positions without a price are not included.'}
          </span>
        </div>
      )}
    </div>
  );
}

/** The visitor's current and closed positions; `undefined` until they are known. */
function usePortfolio() {
  const { api } = useApp();
  const { accountFailed } = useVisitor();
  const { address = '', isKnown: enabled } = useAccountAddress();
  const held = useQuery({ ...portfolioQuery(api, address), enabled });
  const over = useQuery({ ...closedPositionsQuery(api, address), enabled });
  // A result arrives on the stream before the next poll of the portfolio.
  useLiveMarkets(held.data?.map(({ venueMarket }) => venueMarket.marketId) ?? []);
  return {
    positions: held.data?.map(positionView).filter((position) => position.contractMicros > 0n),
    closed: over.data?.positions.map(closedView),
    realisedMicros: over.data && signedMicros(over.data.realizedPnL),
    hasFailed: accountFailed || (held.isError && !held.data),
    retry: () => {
      void held.refetch();
      void over.refetch();
    },
  };
}

/** The portfolio's skeleton: totals, chart, positions. */
function PortfolioPending() {
  return (
    <PendingPage>
      <div className="grid gap-8">
        <div className="skeleton h-71 sm:h-17" />
        <div className="skeleton h-80" />
        <div className="skeleton h-40" />
      </div>
    </PendingPage>
  );
}

/** The first step for an account that has never been funded. */
function NoFunds() {
  const { sandbox } = useSite();
  return (
    <EmptyState
      title="No funds yet"
      link={{
        href: '/deposit',
        label: sandbox ? 'Add test USDC' : 'Deposit USDC',
        tone: 'primary',
      }}
    >
      Deposit USDC to start trading. Your positions appear here with their cost and current value.
    </EmptyState>
  );
}

const AllOpenOrders = dynamic(
  () => loadPart(() => import('#components/order/AllOpenOrders.tsx').then((m) => m.AllOpenOrders)),
  { ssr: false, loading: () => <div className="skeleton h-40" /> },
);

// Few visitors group by event: the code for it loads with that list.
const EventList = dynamic(() => loadPart(() => import('./EventList.tsx').then((m) => m.EventList)));

const GROUPS: readonly { group: PositionGroup; title: string }[] = [
  { group: 'redeemable', title: 'Won' },
  { group: 'open', title: 'Positions' },
  { group: 'awaiting', title: 'Awaiting result' },
];

type HeldPositionsProps = { positions: PositionView[]; filter: PortfolioFilter };

function HeldPositions({ positions, filter }: HeldPositionsProps) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="No positions"
        link={{ href: '/', label: 'Find a market', tone: 'primary' }}
      >
        Your positions appear here with their cost and current value.
      </EmptyState>
    );
  }
  const listed = filter.small === 'hidden' ? withoutSmall(positions).positions : positions;
  if (listed.length === 0) {
    return (
      <EmptyState
        title="All positions hidden"
        link={{ href: portfolioHref(filter, { small: 'shown' }), label: 'Show all positions' }}
      >
        All positions are worth less than 1¢ and hidden.
      </EmptyState>
    );
  }
  const sorted = sortPositions(listed, filter);
  if (filter.group === 'event') return <EventList positions={sorted} filter={filter} />;
  return GROUPS.map(({ group, title }) => {
    const members = sorted.filter((position) => groupOf(position) === group);
    return (
      members.length > 0 && (
        <PositionList key={group} title={title} positions={members} filter={filter} />
      )
    );
  });
}

const COLUMNS = ['Contracts', 'Cost', 'Proceeds', 'P&L', 'Closed'];

function ClosedList({ positions }: { positions: ClosedView[] }) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="No closed positions"
        link={{ href: '/portfolio', label: 'Open positions' }}
      >
        Positions you sell, redeem or lose appear here with their realized P&L.
      </EmptyState>
    );
  }
  return (
    <PositionTable title="Closed" heads={<PlainHeads columns={COLUMNS} />}>
      <PositionRows>
        {positions.map((position) => (
          <PositionRow key={position.id} position={position}>
            <PositionCell label="Contracts">
              <Amount>{contractsRounded(position.contractMicros)}</Amount>
            </PositionCell>
            <PositionCell label="Cost">
              {position.costMicros === null ? '–' : <Amount>{dollars(position.costMicros)}</Amount>}
            </PositionCell>
            <PositionCell label="Proceeds">
              <Amount>{dollars(position.proceedsMicros)}</Amount>
            </PositionCell>
            <PositionCell label="P&L">
              <PnL {...position} />
            </PositionCell>
            <PositionCell label="Closed">
              <span className="whitespace-nowrap text-ink-3">
                {position.closedAt ? <LocalTime at={position.closedAt} format="date" /> : '–'}
              </span>
            </PositionCell>
          </PositionRow>
        ))}
      </PositionRows>
    </PositionTable>
  );
}

/** By the setting; it is unknown while signed out. */
const PAYOUT_WORDS = {
  true: 'Automatic payout is on: it is added to your cash shortly. You can also redeem it now.',
  false: 'Automatic payout is off. Redeem it here; you can turn it on under Account.',
  undefined: 'Paid out automatically unless you turned that off under Account.',
};

function RedeemBanner({ positions }: { positions: PositionView[] }) {
  const { redeem, isPending, isResting, asksWallet, error } = useRedeem();
  const { confirm } = useOwnerWords();
  const { api } = useApp();
  const { session } = useVisitor();
  const settings = useQuery({
    ...settingsQuery(api, session?.address ?? ''),
    enabled: session !== undefined,
  });
  const paying = positions.filter((position) => groupOf(position) === 'redeemable');
  if (paying.length === 0) return null;
  const total = redeemableOf(paying);
  return (
    <section
      aria-label="Payouts"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border-yes-solid border-l-4 bg-yes-soft px-5 py-4"
    >
      <p className="text-15">
        <span className="nums font-semibold text-19">{dollarsDown(total)}</span>{' '}
        {paying.length === 1 ? 'from a position' : `from ${paying.length} positions`} you won
        <span className="block text-13 text-ink-2">
          {PAYOUT_WORDS[`${settings.data?.autoRedeem}`]}
        </span>
      </p>
      <Button
        tone="yes"
        // A disabled button would lose the focus when it is pressed.
        aria-disabled={isResting}
        onClick={() => redeem()}
        isBusy={isPending}
      >
        {asksWallet ? confirm : paying.length === 1 ? 'Redeem' : 'Redeem all'}
      </Button>
      <ErrorNotice error={error} className="w-full" />
    </section>
  );
}
