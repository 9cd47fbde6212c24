import { Activity, useState } from 'react';
import { useLiveBook } from '#components/app/useLive.ts';
import { OnHydrated } from '#components/ui/OnHydrated.tsx';
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
  const isTraded = hasBook(status);
  const [hydrated, setHydrated] = useState(0);
  const report = () => setHydrated((count) => count + 1);
  // Each part hydrates by itself, with the data that the page came with: changes wait for all.
  useLiveBook(ticker, hydrated >= (isTraded ? 3 : 1));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-8 xl:grid-cols-2">
      {isTraded && (
        <Activity>
          <OrderBook ticker={ticker} label={label} />
          <OnHydrated report={report} />
        </Activity>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:only:col-span-full">
        {isTraded && (
          <Activity>
            <DepthChart ticker={ticker} label={label} />
            <OnHydrated report={report} />
          </Activity>
        )}
        <Activity>
          <TradeTape ticker={ticker} label={label} />
          <OnHydrated report={report} />
        </Activity>
      </div>
    </div>
  );
}
