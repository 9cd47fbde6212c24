import type { Market, MarketEvent } from '#lib/api/schemas/market.ts';
import { parseMicros } from '#lib/money.ts';
import { type EventView, type MarketView, pricesOf } from './marketView.ts';
import { eventPicture, stylesOfOutcomes } from './pictures.ts';

/** A plain question has the outcome "Yes", which distinguishes nothing. */
export function labelOf(market: Pick<Market, 'title' | 'subtitle' | 'yesSubTitle'>): string {
  const label = market.yesSubTitle || market.subtitle;
  return label === '' || label === 'Yes' ? market.title : label;
}

/** Converts a market of /v1 to a view. */
export function marketViewOf(market: Market): MarketView {
  return {
    ...pricesOf(market),
    ticker: market.ticker,
    eventTicker: market.eventTicker,
    title: market.title,
    label: labelOf(market),
    strikeGroup: market.strikeGroup,
    status: market.status,
    shard: market.shard,
    isScalar: market.marketType === 'scalar',
    openTime: market.openTime,
    closeTime: market.closeTime,
    expectedEndTime: market.expectedEndTime,
    proposedResult: market.proposedResult,
    volumeContractMicros: parseMicros(String(market.volume)),
    previousPriceMicros:
      market.previousPriceDollars === null ? null : parseMicros(market.previousPriceDollars),
    payoutYesMicros: market.settlement ? parseMicros(market.settlement.payoutYesDollars) : null,
  };
}

/** Converts an event of /v1 to a view. */
export function eventViewOf(event: MarketEvent): EventView {
  const styles = stylesOfOutcomes(event.markets);
  const markets = event.markets.map((market) => ({
    ...marketViewOf(market),
    ...styles.get(market.ticker),
  }));
  const picture = eventPicture(
    event.eventTicker,
    event.markets.map((one) => one.iconUrlLightMode),
  );
  return {
    eventTicker: event.eventTicker,
    title: event.title,
    subtitle: event.subtitle,
    category: event.category,
    ...(picture !== undefined && { picture }),
    volumeContractMicros: markets.reduce((sum, market) => sum + market.volumeContractMicros, 0n),
    marketCount: markets.length,
    mutuallyExclusive: event.mutuallyExclusive,
    markets,
  };
}
