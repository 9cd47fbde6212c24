'use client';

import { useDeferredValue } from 'react';
import { PillLinks } from '#components/market/FilterLinks.tsx';
import { Button } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { parseMicros } from '#lib/money.ts';
import {
  groupOf,
  type PositionGroup,
  type PositionSort,
  type PositionView,
  sortPositions,
} from '#lib/portfolio/positionView.ts';
import { ClosedList } from './ClosedList.tsx';
import { PortfolioPending } from './PortfolioPending.tsx';
import { PortfolioTotals } from './PortfolioTotals.tsx';
import { PositionList } from './PositionList.tsx';
import { PORTFOLIO_SHOWS, type PortfolioShow, portfolioHref } from './portfolioFilter.ts';
import { RedeemBanner } from './RedeemBanner.tsx';
import { usePortfolio } from './usePortfolio.ts';
import { ValueChart } from './ValueChart.tsx';

type PortfolioViewProps = { sort: PositionSort; show: PortfolioShow };

export function PortfolioView(props: PortfolioViewProps) {
  return (
    <ConnectPrompt what="your portfolio" pending={<PortfolioPending />}>
      <Portfolio {...props} />
    </ConnectPrompt>
  );
}

function Portfolio({ sort, show }: PortfolioViewProps) {
  const { account } = useVisitor();
  const { positions, closed, hasFailed, retry } = usePortfolio();
  // All of it is much to draw at once: it is drawn bit by bit, and the page answers in between.
  const isKnown = useDeferredValue(account !== undefined && positions !== undefined, false);
  if (hasFailed) {
    return (
      <EmptyState
        title="Your portfolio did not load"
        action={<Button onClick={retry}>Try again</Button>}
      >
        What you hold is on the chain and is not affected.
      </EmptyState>
    );
  }
  if (!account || !positions || !isKnown) return <PortfolioPending />;
  return (
    <div className="grid gap-8">
      <PortfolioTotals
        cashMicros={parseMicros(account.balances.usdc)}
        positions={positions}
        closedProfitMicros={closed?.reduce((sum, one) => sum + one.profitMicros, 0n)}
      />
      <RedeemBanner positions={positions} />
      <ValueChart address={account.smartAccountAddress} />
      <PillLinks
        label="Which positions"
        options={PORTFOLIO_SHOWS}
        current={show}
        href={(value) => portfolioHref({ sort, show }, { show: value })}
      />
      {show === 'held' && <Held positions={sortPositions(positions, sort)} />}
      {show === 'closed' && closed && <ClosedList positions={closed} />}
      {show === 'closed' && !closed && (
        <div className="skeleton h-40" role="status" aria-label="Loading" />
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-[14px]">
        <a href="/activity" className="underline decoration-line-strong underline-offset-4">
          All activity
        </a>
        <CsvButton name="portfolio" query={{ address: account.owner }} />
        <span className="text-[13px] text-ink-3">
          Amounts in USDC, at the best bid; times in your time zone.
        </span>
      </div>
    </div>
  );
}

const GROUPS: readonly { group: PositionGroup; title: string }[] = [
  { group: 'redeemable', title: 'Won' },
  { group: 'open', title: 'Positions' },
  { group: 'awaiting', title: 'Awaiting their result' },
  { group: 'lost', title: 'Lost' },
];

function Held({ positions }: { positions: PositionView[] }) {
  if (positions.length === 0) {
    return (
      <EmptyState
        title="No positions"
        link={{ href: '/', label: 'Find a market', tone: 'primary' }}
      >
        Outcome tokens you buy will be listed here with what they cost and what they are worth.
      </EmptyState>
    );
  }
  return GROUPS.map(({ group, title }) => {
    const members = positions.filter((position) => groupOf(position) === group);
    return members.length > 0 && <PositionList key={group} title={title} positions={members} />;
  });
}
