import type { EventView, MarketRules, MarketView } from '#lib/market/marketView.ts';
import type {
  EventRecord,
  EventWithMarkets,
  MarketRecord,
} from '#server/domain/markets/catalogue/types.ts';

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
    expectedEndTime: record.expectedEndAt.toISOString(),
    proposedResult: record.proposedResult,
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

export function toEventView(event: EventRecord & { markets: MarketRecord[] }): EventView {
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

export function marketRulesOf(
  market: MarketRecord,
  event: EventWithMarkets | undefined,
): MarketRules {
  return {
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    earlyCloseCondition: market.earlyCloseCondition,
    settlementSources: event?.settlementSources ?? [],
    contractTermsUrl: event?.contractTermsUrl ?? null,
  };
}
