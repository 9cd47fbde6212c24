import type { MarketView } from '#lib/market/marketView.ts';
import { MarketResult } from './MarketResult.tsx';
import { PriceLink } from './PriceLink.tsx';

/** The current prices of both sides as links to their tickets, or the result. */
export function MarketPrices({ market }: { market: MarketView }) {
  if (market.status === 'settled') return <MarketResult payoutYesMicros={market.payoutYesMicros} />;
  const href = `/markets/${market.ticker}`;
  return (
    <>
      <PriceLink
        href={`${href}?side=yes`}
        side="yes"
        askMicros={market.yesAskMicros}
        marketLabel={market.label}
      />
      <PriceLink
        href={`${href}?side=no`}
        side="no"
        askMicros={market.noAskMicros}
        marketLabel={market.label}
      />
    </>
  );
}
