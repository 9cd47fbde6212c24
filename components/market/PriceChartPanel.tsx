import dynamic from 'next/dynamic';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import type { MarketPrices, MarketView } from '#lib/market/marketView.ts';

/** Not part of the first load; the server renders its controls and its table of values. */
const MarketChart = dynamic(() =>
  loadOptionalPart(() => import('./MarketChart.tsx').then((part) => part.MarketChart)),
);

export type ChartedMarket = MarketPrices &
  Pick<MarketView, 'ticker' | 'isScalar' | 'openTime' | 'closeTime' | 'payoutYesMicros'>;
type PriceChartPanelProps = {
  market: ChartedMarket;
  /** The market's name, if the page shows several markets. */
  label?: string;
  renderedAtMs: number;
};

export function PriceChartPanel({ market, ...rest }: PriceChartPanelProps) {
  return (
    <section aria-labelledby={`chart-${market.ticker}`} className="@container">
      <MarketChart market={market} {...rest} />
    </section>
  );
}
