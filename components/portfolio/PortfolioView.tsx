'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/api/queries/account.ts';
import { parseMicros } from '#lib/money.ts';
import {
  groupOf,
  type PositionGroup,
  type PositionSort,
  type PositionView,
  positionView,
  sortPositions,
} from '#lib/portfolio/positionView.ts';
import { PortfolioTotals } from './PortfolioTotals.tsx';
import { PositionList } from './PositionList.tsx';
import { RedeemBanner } from './RedeemBanner.tsx';
import { ValueChart } from './ValueChart.tsx';

export function PortfolioView({ sort }: { sort: PositionSort }) {
  return (
    <ConnectPrompt what="your portfolio">
      <Portfolio sort={sort} />
    </ConnectPrompt>
  );
}

function Portfolio({ sort }: { sort: PositionSort }) {
  const { api } = useApp();
  const { account, accountFailed } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
  });
  const positions = (portfolio.data ?? [])
    .map(positionView)
    .filter((position) => position.contractMicros > 0n);
  if (accountFailed || (portfolio.isError && !portfolio.data)) {
    return (
      <EmptyState
        title="Your portfolio did not load"
        action={<Button onClick={() => void portfolio.refetch()}>Try again</Button>}
      >
        What you hold is on the chain and is not affected.
      </EmptyState>
    );
  }
  if (!account || !portfolio.data) {
    return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  }
  return (
    <div className="grid gap-8">
      <PortfolioTotals cashMicros={parseMicros(account.balances.usdc)} positions={positions} />
      <RedeemBanner positions={positions} />
      <ValueChart address={account.smartAccountAddress} />
      {positions.length === 0 ? (
        <EmptyState
          title="No positions"
          action={
            <Link href="/" className={buttonStyle('primary')}>
              Find a market
            </Link>
          }
        >
          Outcome tokens you buy will be listed here with what they cost and what they are worth.
        </EmptyState>
      ) : (
        <Positions positions={sortPositions(positions, sort)} />
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-[14px]">
        <Link href="/activity" className="underline decoration-line-strong underline-offset-4">
          All activity
        </Link>
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

function Positions({ positions }: { positions: PositionView[] }) {
  return GROUPS.map(({ group, title }) => {
    const members = positions.filter((position) => groupOf(position) === group);
    return members.length > 0 && <PositionList key={group} title={title} positions={members} />;
  });
}
