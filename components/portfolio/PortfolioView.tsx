'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/api/queries/account.ts';
import { dollars, dollarsSigned } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { type PositionView, positionView } from '#lib/portfolio/positionView.ts';
import { PositionList } from './PositionList.tsx';

export function PortfolioView() {
  return (
    <ConnectPrompt what="your portfolio">
      <Portfolio />
    </ConnectPrompt>
  );
}

function sum(positions: PositionView[], of: (position: PositionView) => bigint | null): bigint {
  return positions.reduce((total, position) => total + (of(position) ?? 0n), 0n);
}

function Portfolio() {
  const { api, site } = useApp();
  const { account, accountFailed } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
  });
  if (accountFailed || (portfolio.isError && !portfolio.data)) {
    return (
      <EmptyState
        title="Your portfolio did not load"
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      >
        What you hold is on the chain and is not affected.
      </EmptyState>
    );
  }
  if (!account || !portfolio.data) {
    return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  }
  const positions = portfolio.data
    .map(positionView)
    .filter((position) => position.contractMicros > 0n);
  const cash = parseMicros(account.balances.usdc);
  const value = sum(positions, (position) => position.valueMicros);
  const profit = sum(positions, (position) => position.profitMicros);
  return (
    <div className="grid gap-8">
      <section
        aria-label="Totals"
        className="grid grid-cols-[auto_1fr] gap-x-10 gap-y-4 sm:grid-cols-[auto_auto_auto_1fr]"
      >
        <Total label="Total value" strong>
          {dollars(cash + value)}
        </Total>
        <Total label="Cash" testId="portfolio-cash">
          {dollars(cash)}
        </Total>
        <Total label="Positions">{dollars(value)}</Total>
        <Total label="Open profit">
          <span className={profit > 0n ? 'text-yes' : profit < 0n ? 'text-no' : ''}>
            {dollarsSigned(profit)}
          </span>
        </Total>
      </section>
      <div className="flex flex-wrap gap-2">
        <Link href="/deposit" className={buttonStyle('outline')}>
          {site.sandbox ? 'Add test USDC' : 'Deposit'}
        </Link>
        <Link href="/withdraw" className={buttonStyle('outline')}>
          Withdraw
        </Link>
      </div>
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
        <PositionList positions={positions} />
      )}
    </div>
  );
}

type TotalProps = { label: string; children: React.ReactNode; strong?: boolean; testId?: string };

function Total({ label, children, strong, testId }: TotalProps) {
  return (
    <div>
      <p className="text-[13px] text-ink-3">{label}</p>
      <p
        data-testid={testId}
        className={`nums font-semibold tracking-[-0.02em] ${strong ? 'text-[32px] leading-tight' : 'text-[22px] leading-[40px]'}`}
      >
        {children}
      </p>
    </div>
  );
}
