'use client';

import { useDeferredValue } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { CsvButton } from '#components/ui/CsvButton.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { withoutSmall } from '#lib/browser/portfolio/smallPositions.ts';
import { parseMicros } from '#lib/money.ts';
import { ClosedList } from './ClosedList.tsx';
import { HeldPositions } from './HeldPositions.tsx';
import { NoFunds } from './NoFunds.tsx';
import { PortfolioPending } from './PortfolioPending.tsx';
import { PortfolioToolbar } from './PortfolioToolbar.tsx';
import { PortfolioTotals } from './PortfolioTotals.tsx';
import type { PortfolioFilter } from './portfolioFilter.ts';
import { RedeemBanner } from './RedeemBanner.tsx';
import { usePortfolio } from './usePortfolio.ts';
import { ValueChart } from './ValueChart.tsx';

type PortfolioViewProps = { filter: PortfolioFilter };

export function PortfolioView(props: PortfolioViewProps) {
  return (
    <ConnectPrompt what="your portfolio" pending={<PortfolioPending />}>
      <Portfolio {...props} />
    </ConnectPrompt>
  );
}

function Portfolio({ filter }: PortfolioViewProps) {
  const { account } = useVisitor();
  const { positions, closed, hasFailed, retry } = usePortfolio();
  // The list is large: it renders in parts, so that the page responds in between.
  const isKnown = useDeferredValue(account !== undefined && positions !== undefined, false);
  if (hasFailed) {
    return (
      <EmptyState
        title="Your portfolio could not be loaded"
        action={<Button onClick={retry}>Try again</Button>}
      >
        Your funds are on chain and not affected.
      </EmptyState>
    );
  }
  if (!account || !positions || !isKnown) return <PortfolioPending />;
  const cashMicros = parseMicros(account.balances.usdc);
  const inOrdersMicros = parseMicros(account.balances.inOrders ?? '0');
  const isNew = !account.deployed && cashMicros === 0n && positions.length === 0;
  return (
    <div className="grid gap-8">
      <PortfolioTotals
        cashMicros={cashMicros}
        inOrdersMicros={inOrdersMicros}
        positions={positions}
        closedProfitMicros={closed?.reduce((sum, one) => sum + one.profitMicros, 0n)}
      />
      <RedeemBanner positions={positions} />
      {!isNew && (
        <ValueChart
          address={account.smartAccountAddress}
          nowMicros={positions.reduce(
            (sum, one) => sum + one.valueMicros,
            cashMicros + inOrdersMicros,
          )}
        />
      )}
      <PortfolioToolbar filter={filter} smallCount={withoutSmall(positions).smallCount} />
      {filter.show === 'held' && isNew && <NoFunds />}
      {filter.show === 'held' && !isNew && <HeldPositions positions={positions} filter={filter} />}
      {filter.show === 'closed' && closed && <ClosedList positions={closed} />}
      {filter.show === 'closed' && !closed && (
        <div className="skeleton h-40" role="status" aria-label="Loading" />
      )}
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
          {positions.some(({ isLastPrice }) => isLastPrice) &&
            ' Positions awaiting a result are valued at their last price.'}
          {positions.some(({ isUnpriced }) => isUnpriced) &&
            ' Positions without a price are not included.'}
        </span>
      </div>
    </div>
  );
}
