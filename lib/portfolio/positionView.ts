import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { costMicros, parseMicros } from '#lib/money.ts';

/** A holding as the pages show it, in exact units. */
export type PositionView = {
  tokenId: string;
  marketId: string;
  side: 'yes' | 'no';
  name: string;
  subtitle: string;
  status: PortfolioEntry['venueMarket']['status'];
  contractMicros: bigint;
  /** Dollars per contract, fees included; null when it was not bought here. */
  averageCostMicros: bigint | null;
  /** What one contract brings now: the payout once settled, else the best bid. */
  priceMicros: bigint;
  valueMicros: bigint;
  costMicros: bigint | null;
  profitMicros: bigint | null;
};

export function positionView(entry: PortfolioEntry): PositionView {
  const { portfolioItem, venueMarket, token } = entry;
  const contractMicros = parseMicros(portfolioItem.amount);
  const priceMicros = parseMicros(venueMarket.payoutDollars ?? venueMarket.bidPriceDollars);
  const average =
    portfolioItem.averageFillCost === null ? null : parseMicros(portfolioItem.averageFillCost);
  const value = costMicros(contractMicros, priceMicros, 'down');
  const cost = average === null ? null : costMicros(contractMicros, average, 'nearest');
  return {
    tokenId: token.tokenId,
    marketId: venueMarket.marketId,
    side: venueMarket.side,
    name: venueMarket.name,
    subtitle: venueMarket.subtitle,
    status: venueMarket.status,
    contractMicros,
    averageCostMicros: average,
    priceMicros,
    valueMicros: value,
    costMicros: cost,
    profitMicros: cost === null ? null : value - cost,
  };
}
