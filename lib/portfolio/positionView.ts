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
  /**
   * The value of one contract: the payout once settled, else the best bid, and after trading has
   * ended, the last traded price.
   */
  priceMicros: bigint;
  /** Valued at the last price until the result is known. */
  isLastPrice: boolean;
  /** Trading has ended without any price. */
  isUnpriced: boolean;
  valueMicros: bigint;
  /** Of the held contracts, fees included; null with an unknown profit. */
  costMicros: bigint | null;
  /** Unrealized: the value less the cost; null when the cost or the price is unknown. */
  profitMicros: bigint | null;
  /** Realised profit or loss of the part already sold or redeemed. */
  realisedMicros: bigint;
  /** The payout of redeeming the whole holding; null while that is not possible. */
  redeemableMicros: bigint | null;
  settledAt: string | null;
};

/** The groups of holdings, in the order in which the page shows them. */
export type PositionGroup = 'redeemable' | 'open' | 'awaiting' | 'lost';

export function groupOf(position: PositionView): PositionGroup {
  if (position.redeemableMicros !== null && position.redeemableMicros > 0n) return 'redeemable';
  if (position.status === 'settled') return position.priceMicros === 0n ? 'lost' : 'awaiting';
  return position.status === 'closed' ? 'awaiting' : 'open';
}

/** The payout of redeeming all winning positions now. */
export function redeemableOf(positions: readonly PositionView[]): bigint {
  return positions.reduce((sum, { redeemableMicros }) => sum + (redeemableMicros ?? 0n), 0n);
}

export function positionView(entry: PortfolioEntry): PositionView {
  const { portfolioItem, venueMarket, token } = entry;
  const contractMicros = parseMicros(portfolioItem.amount);
  const bidMicros = parseMicros(venueMarket.payoutDollars ?? venueMarket.bidPriceDollars);
  const hasNoResult = venueMarket.status === 'closed' && venueMarket.payoutDollars === null;
  const isLastPrice = hasNoResult && bidMicros === 0n;
  const priceMicros = isLastPrice ? parseMicros(venueMarket.marketPriceDollars) : bidMicros;
  const average =
    portfolioItem.averageFillCost === null ? null : parseMicros(portfolioItem.averageFillCost);
  const value = costMicros(contractMicros, priceMicros, 'down');
  // The service knows the cost exactly; the average cost is rounded.
  const profit =
    portfolioItem.unrealizedPnL === null ? null : signedMicros(portfolioItem.unrealizedPnL);
  const isUnpriced = isLastPrice && priceMicros === 0n;
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
    isLastPrice: isLastPrice && !isUnpriced,
    isUnpriced,
    valueMicros: value,
    costMicros: profit === null ? null : value - profit,
    profitMicros: profit,
    realisedMicros: signedMicros(portfolioItem.realizedPnL),
    redeemableMicros:
      portfolioItem.redeemableAmount === null ? null : parseMicros(portfolioItem.redeemableAmount),
    settledAt: venueMarket.settledAt,
  };
}

export function signedMicros(decimal: string): bigint {
  return decimal.startsWith('-') ? -parseMicros(decimal.slice(1)) : parseMicros(decimal);
}
