'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useApp } from '#components/app/useApp.ts';
import { PnL } from '#components/portfolio/PnL.tsx';
import { buttonStyle } from '#components/ui/Button.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/api/queries/account.ts';
import { centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { positionView } from '#lib/portfolio/positionView.ts';

/** What the visitor holds of this market; nothing when they hold nothing. */
export function MyPosition({ market }: { market: MarketView }) {
  const { api } = useApp();
  const { account } = useVisitor();
  const portfolio = useQuery({
    ...portfolioQuery(api, account?.smartAccountAddress ?? ''),
    enabled: account !== undefined,
  });
  const held = (portfolio.data ?? [])
    .filter((entry) => entry.venueMarket.marketId === market.ticker)
    .map(positionView)
    .filter((position) => position.contractMicros > 0n);
  if (held.length === 0) return null;
  return (
    <section aria-label="My position" className="sheet divide-y">
      {held.map((position) => (
        <div
          key={position.side}
          className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 text-[14px]"
        >
          <p className="nums font-medium">
            You hold {contracts(position.contractMicros)}{' '}
            <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
              {position.side === 'yes' ? 'Yes' : 'No'}
            </span>
          </p>
          {position.averageCostMicros !== null && (
            <p className="nums text-ink-2">bought at {centsRounded(position.averageCostMicros)}</p>
          )}
          <p className="nums text-ink-2">worth {dollars(position.valueMicros)}</p>
          <PnL position={position} />
          <Link
            href={`/markets/${market.ticker}?side=${position.side}&action=sell`}
            className={`${buttonStyle('outline', 's')} ml-auto`}
          >
            Sell
          </Link>
        </div>
      ))}
    </section>
  );
}
