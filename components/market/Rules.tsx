import { Figure, Figures } from '#components/ui/Figures.tsx';
import { contractsShort, dollarsShort } from '#lib/format/money.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import type { MarketPageView } from '#lib/market/marketView.ts';
import { MarketTimeline } from './MarketTimeline.tsx';
import { RulesText } from './RulesText.tsx';

/** A market's rules and facts. */
export function Rules({ page }: { page: MarketPageView }) {
  return (
    <>
      <RulesText rules={page} />
      <section aria-labelledby="life-heading">
        <h2 id="life-heading" className="mb-3 font-semibold text-17">
          Timeline
        </h2>
        <MarketTimeline page={page} />
      </section>
      <section aria-labelledby="facts-heading">
        <h2 id="facts-heading" className="mb-3 font-semibold text-17">
          Details
        </h2>
        <Figures className="sheet max-w-xl p-4">
          <Figure label="24h volume">
            {contractsShort(page.volume24hContractMicros)} contracts
          </Figure>
          <Figure label="Open interest">
            {contractsShort(page.openInterestContractMicros)} contracts
          </Figure>
          {hasBook(page.market.status) && (
            <Figure label="Liquidity">{dollarsShort(page.liquidityUsdcMicros)}</Figure>
          )}
          <Figure label="Ticker">{page.market.ticker}</Figure>
        </Figures>
      </section>
    </>
  );
}
