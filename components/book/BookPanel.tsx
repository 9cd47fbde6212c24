import { Activity } from 'react';
import { useLiveBook } from '#components/app/useLive.ts';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import { DepthChart } from './DepthChart.tsx';
import { OrderBook } from './OrderBook.tsx';
import { TradeTape } from './TradeTape.tsx';

type BookPanelProps = {
  market: { ticker: string; status: MarketStatus };
  /** The market's name, if the page shows several markets. */
  label?: string;
};

/** Order book, depth and trades of a market. */
export function BookPanel({ market: { ticker, status }, label }: BookPanelProps) {
  useLiveBook(ticker);
  const isTraded = hasBook(status);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 xl:grid-cols-2">
      <Activity>{isTraded && <OrderBook ticker={ticker} label={label} />}</Activity>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:only:col-span-full">
        <Activity>{isTraded && <DepthChart ticker={ticker} label={label} />}</Activity>
        <Activity>
          <TradeTape ticker={ticker} label={label} />
        </Activity>
      </div>
    </div>
  );
}
