import { Activity } from 'react';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import { OrderBookLadder } from './OrderBookLadder.tsx';
import { RecentTrades } from './RecentTrades.tsx';

type BookAndTradesProps = {
  market: { ticker: string; status: MarketStatus };
  /** The market's name, if the page shows several markets. */
  label?: string;
};

/** Book and recent trades, side by side where there is room. */
export function BookAndTrades({ market, label }: BookAndTradesProps) {
  const named = label === undefined ? {} : { label };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 xl:grid-cols-2">
      <Activity>
        {hasBook(market.status) && <OrderBookLadder ticker={market.ticker} {...named} />}
      </Activity>
      <Activity>
        <RecentTrades ticker={market.ticker} {...named} />
      </Activity>
    </div>
  );
}
