import type { EventView, MarketView } from '#lib/market/marketView.ts';
import type { EventWithMarkets, MarketRecord } from '#server/domain/markets/catalogue/types.ts';

/** Converts the markets domain's data for the first paint. */
export function toMarketView(record: MarketRecord): MarketView {
  return {
    ticker: record.ticker,
    eventTicker: record.eventTicker,
    title: record.title,
    label: record.yesSubTitle || record.subtitle || record.title,
    status: record.status,
    openTime: record.openAt.toISOString(),
    closeTime: record.closeAt.toISOString(),
    yesBidMicros: record.yesBidMicros,
    yesAskMicros: record.yesAskMicros,
    noBidMicros: record.noBidMicros,
    noAskMicros: record.noAskMicros,
    lastPriceMicros: record.lastPriceMicros,
    volumeContractMicros: record.volumeContractMicros,
    previousPriceMicros: record.previousPriceMicros,
    payoutYesMicros: record.payoutYesMicros,
  };
}

export function toEventView(event: EventWithMarkets): EventView {
  return {
    eventTicker: event.eventTicker,
    title: event.title,
    subtitle: event.subtitle,
    category: event.category,
    volumeContractMicros: event.totalVolumeContractMicros,
    marketCount: event.totalMarketCount,
    mutuallyExclusive: event.mutuallyExclusive,
    markets: event.markets.map(toMarketView),
  };
}
