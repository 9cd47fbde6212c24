import type {
  Market,
  MarketEvent,
  MarketTerms,
  OrderBook,
  PricePoint,
  Score,
  Trade,
} from '#lib/api/schemas/market.ts';
import type { Quote as QuoteResponse } from '#lib/api/schemas/quote.ts';
import type { Milestone, SearchEvent, SearchMarket } from '#lib/api/schemas/search.ts';
import {
  centsNumber,
  contractsNumber,
  divide,
  formatMicros,
  formatMicrosFixed,
  MICROS,
} from '#lib/money.ts';
import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import type {
  BookLevel,
  OrderBook as ExchangeOrderBook,
  OutcomeSide,
  TradeAction,
} from '#server/exchange/port.ts';
import type {
  EventWithMarkets,
  MarketRecord,
  Milestone as MilestoneRecord,
  PricePoint as PricePointRecord,
  SearchEvent as SearchEventRecord,
  SearchMarket as SearchMarketRecord,
} from './catalogue/types.ts';
import { feeFactors } from './quotes/feeCharge.ts';
import type { Quote } from './quotes/quote.ts';
import type { TradingMarket } from './quotes/tradingMarket.ts';
import type { LiveScore } from './scores/liveScores.ts';

/** Exact dollars of a price, with the four decimals of prices. */
export const priceDollars = (micros: bigint): string => formatMicrosFixed(micros, 4);
/** Exact dollars of a sum, with at least two decimals. */
export const sumDollars = (micros: bigint): string => formatMicrosFixed(micros, 2);
export const priceCents = (micros: bigint): number => centsNumber(micros, 'nearest');

/**
 * The interface publishes every price as a number. An empty side of the book follows the exchange's
 * convention: no bid is 0, no offer is a whole dollar, no trade yet is 0.
 */
export const bidMicros = (micros: bigint | null): bigint => micros ?? 0n;
export const askMicros = (micros: bigint | null): bigint => micros ?? MICROS;
export const lastMicros = (micros: bigint | null): bigint => micros ?? 0n;

function settlementOf(market: MarketRecord): Market['settlement'] {
  if (market.payoutYesMicros === null || market.result === null) return null;
  return {
    result: market.result,
    payoutYesDollars: priceDollars(market.payoutYesMicros),
    payoutNoDollars: priceDollars(MICROS - market.payoutYesMicros),
    settledAt: market.settledAt?.toISOString() ?? null,
  };
}

function pricesOf(market: MarketRecord) {
  const yesBid = bidMicros(market.yesBidMicros);
  const yesAsk = askMicros(market.yesAskMicros);
  const noBid = bidMicros(market.noBidMicros);
  const noAsk = askMicros(market.noAskMicros);
  const last = lastMicros(market.lastPriceMicros);
  return {
    yesBid: priceCents(yesBid),
    yesAsk: priceCents(yesAsk),
    noBid: priceCents(noBid),
    noAsk: priceCents(noAsk),
    lastPrice: priceCents(last),
    yesBidDollars: priceDollars(yesBid),
    yesAskDollars: priceDollars(yesAsk),
    noBidDollars: priceDollars(noBid),
    noAskDollars: priceDollars(noAsk),
    lastPriceDollars: priceDollars(last),
  };
}

/** Icons are stored as paths of this service, or as addresses of the exchange. */
function displayStyleOf(market: MarketRecord, publicBaseUrl: string) {
  return {
    iconDark: new URL(market.iconUrlDarkMode, publicBaseUrl).href,
    iconLight: new URL(market.iconUrlLightMode, publicBaseUrl).href,
  };
}

export function serializeMarket(market: MarketRecord, publicBaseUrl: string): Market {
  const looks = displayStyleOf(market, publicBaseUrl);
  return {
    ticker: market.ticker,
    eventTicker: market.eventTicker,
    title: market.title,
    subtitle: market.subtitle,
    status: market.status,
    marketType: market.marketType,
    shard: market.shard,
    ...pricesOf(market),
    previousPriceDollars:
      market.previousPriceMicros === null ? null : priceDollars(market.previousPriceMicros),
    liquidity: priceCents(market.liquidityUsdcMicros),
    liquidityDollars: sumDollars(market.liquidityUsdcMicros),
    volume: contractsNumber(market.volumeContractMicros),
    volume24h: contractsNumber(market.volume24hContractMicros),
    openInterest: contractsNumber(market.openInterestContractMicros),
    openTime: market.openAt.toISOString(),
    closeTime: market.closeAt.toISOString(),
    expirationTime: market.expirationAt.toISOString(),
    expectedEndTime: market.expectedEndAt.toISOString(),
    canCloseEarly: market.canCloseEarly,
    earlyCloseCondition: market.earlyCloseCondition,
    proposedResult: market.proposedResult,
    strike: market.strike,
    strikeGroup: market.strikeGroup,
    rulesPrimary: market.rulesPrimary,
    rulesSecondary: market.rulesSecondary,
    yesSubTitle: market.yesSubTitle,
    noSubTitle: market.noSubTitle,
    iconUrlDarkMode: looks.iconDark,
    iconUrlLightMode: looks.iconLight,
    backgroundColorLightMode: market.backgroundColorLightMode,
    backgroundColorDarkMode: market.backgroundColorDarkMode,
    seriesTicker: market.seriesTicker,
    category: market.category,
    settlement: settlementOf(market),
    updatedAt: market.updatedAt.toISOString(),
  };
}

export function serializeEvent(event: EventWithMarkets, publicBaseUrl: string): MarketEvent {
  return {
    eventTicker: event.eventTicker,
    seriesTicker: event.seriesTicker,
    seriesTitle: event.seriesTitle,
    title: event.title,
    subtitle: event.subtitle,
    category: event.category,
    mutuallyExclusive: event.mutuallyExclusive,
    settlementSources: event.settlementSources,
    contractTermsUrl: event.contractTermsUrl,
    markets: event.markets.map((market) => serializeMarket(market, publicBaseUrl)),
  };
}

/** 100 dollars divided by the offer, to the cent; null without an offer. */
function payoutFrom100Dollars(askMicros: bigint | null): string | null {
  if (askMicros === null || askMicros === 0n) return null;
  const cents = divide(100n * 100n * MICROS, askMicros, 'down');
  return formatMicrosFixed(cents * 10_000n, 2);
}

function serializeSearchMarket(market: SearchMarketRecord, publicBaseUrl: string): SearchMarket {
  const looks = displayStyleOf(market, publicBaseUrl);
  const prices = pricesOf(market);
  const delta =
    market.lastPriceMicros === null || market.previousPriceMicros === null
      ? 0n
      : market.lastPriceMicros - market.previousPriceMicros;
  return {
    ticker: market.ticker,
    yes_bid: prices.yesBid,
    yes_ask: prices.yesAsk,
    last_price: prices.lastPrice,
    yes_bid_dollars: prices.yesBidDollars,
    yes_ask_dollars: prices.yesAskDollars,
    last_price_dollars: prices.lastPriceDollars,
    price_delta: priceCents(delta),
    close_ts: market.closeAt.toISOString(),
    expected_expiration_ts: market.expirationAt.toISOString(),
    open_ts: market.openAt.toISOString(),
    score: market.score,
    yes_subtitle: market.yesSubTitle,
    no_subtitle: market.noSubTitle,
    title: market.title,
    potential_payout_from_100_dollars: {
      yes: payoutFrom100Dollars(market.yesAskMicros),
      no: payoutFrom100Dollars(market.noAskMicros),
    },
    icon_url_dark_mode: looks.iconDark,
    icon_url_light_mode: looks.iconLight,
    background_color_light_mode: market.backgroundColorLightMode,
    background_color_dark_mode: market.backgroundColorDarkMode,
  };
}

export function serializeSearchEvent(
  event: SearchEventRecord,
  options: { publicBaseUrl: string; withMilestones: boolean },
): SearchEvent {
  return {
    series_ticker: event.seriesTicker,
    series_title: event.seriesTitle,
    event_ticker: event.eventTicker,
    event_subtitle: event.subtitle,
    event_title: event.title,
    category: event.category,
    total_series_volume: contractsNumber(event.totalSeriesVolumeContractMicros),
    total_volume: contractsNumber(event.totalVolumeContractMicros),
    total_market_count: event.totalMarketCount,
    active_market_count: event.activeMarketCount,
    markets: event.markets.map((market) => serializeSearchMarket(market, options.publicBaseUrl)),
    ...(options.withMilestones ? { milestones: event.milestones.map(serializeMilestone) } : {}),
    ...(event.moreInSeries === undefined ? {} : { more_in_series: event.moreInSeries }),
  };
}

function serializeMilestone(milestone: MilestoneRecord): Milestone {
  return {
    id: milestone.id,
    type: milestone.type,
    title: milestone.title,
    starts_ts: milestone.startsAt.toISOString(),
    ends_ts: milestone.endsAt?.toISOString() ?? null,
  };
}

/** The average per contract before the fee: what a buy pays less the fee, a sale more. */
function averagePriceMicros(quote: Quote, action: TradeAction): bigint | null {
  if (quote.contractMicros === 0n) return null;
  const fee = action === 'buy' ? -quote.feeUsdcMicros : quote.feeUsdcMicros;
  return divide((quote.costUsdcMicros + fee) * MICROS, quote.contractMicros, 'nearest');
}

export function serializeQuote(
  asked: { ticker: string; action: TradeAction; side: OutcomeSide; contractMicros: bigint },
  {
    quote,
    asOf,
    largest,
  }: { quote: Quote; asOf: Date; largest: Record<TradeAction, bigint> | undefined },
): QuoteResponse {
  const average = averagePriceMicros(quote, asked.action);
  const dollars = (micros: bigint | undefined | null) =>
    micros === undefined || micros === null ? null : priceDollars(micros);
  return {
    fillable: quote.fillable,
    contracts: contractsNumber(quote.contractMicros),
    cost: priceCents(quote.costUsdcMicros),
    costDollars: sumDollars(quote.costUsdcMicros),
    fee: priceCents(quote.feeUsdcMicros),
    feeDollars: sumDollars(quote.feeUsdcMicros),
    ticker: asked.ticker,
    action: asked.action,
    side: asked.side,
    contractsRequested: contractsNumber(asked.contractMicros),
    averagePriceDollars: dollars(average),
    bestPriceDollars: dollars(quote.bestPriceMicros),
    worstPriceDollars: dollars(quote.worstPriceMicros),
    largestOrderDollars: largest ? sumDollars(largest[asked.action]) : null,
    asOf: asOf.toISOString(),
  };
}

export const levelResponse = (level: BookLevel) => ({
  priceDollars: priceDollars(level.priceMicros),
  contracts: contractsNumber(level.contractMicros),
});

/** An offer of one side at p is a bid of the other at one dollar less p. */
export const offerResponse = (bid: BookLevel) =>
  levelResponse({ priceMicros: MICROS - bid.priceMicros, contractMicros: bid.contractMicros });

export function serializeOrderBook(book: ExchangeOrderBook, asOf: Date): OrderBook {
  return {
    ticker: book.ticker,
    yesBids: book.yesBids.map(levelResponse),
    yesAsks: book.noBids.map(offerResponse),
    noBids: book.noBids.map(levelResponse),
    noAsks: book.yesBids.map(offerResponse),
    asOf: asOf.toISOString(),
  };
}

export function serializeScore({ asOf, ...score }: LiveScore): Score {
  return {
    eventTicker: score.eventTicker,
    phase: score.phase,
    statusText: score.statusText,
    teams: score.teams,
    asOf: asOf.toISOString(),
    ageSeconds: Math.max(0, Math.round((Date.now() - asOf.getTime()) / 1_000)),
  };
}

export function serializeTerms({ market, fee }: TradingMarket): MarketTerms {
  const factors = fee.kind === 'unknown' ? undefined : feeFactors(fee);
  return {
    ticker: market.ticker,
    priceRanges: market.priceRanges.map(({ startMicros, endMicros, stepMicros }) => ({
      startDollars: priceDollars(startMicros),
      endDollars: priceDollars(endMicros),
      stepDollars: priceDollars(stepMicros),
    })),
    takerFee: factors
      ? {
          rate: formatMicros(factors.takerRateMicros),
          multiplier: formatMicros(factors.multiplierMicros),
        }
      : null,
  };
}

export function serializeTrade(trade: ExchangeTrade): Trade {
  return {
    id: trade.tradeId,
    ticker: trade.ticker,
    takerSide: trade.takerSide,
    yesPriceDollars: priceDollars(trade.yesPriceMicros),
    noPriceDollars: priceDollars(MICROS - trade.yesPriceMicros),
    contracts: contractsNumber(trade.contractMicros),
    at: trade.at.toISOString(),
  };
}

export function serializePricePoint(point: PricePointRecord): PricePoint {
  const dollars = (micros: bigint | null) => (micros === null ? null : priceDollars(micros));
  return {
    at: point.at.toISOString(),
    yesBidDollars: dollars(point.yesBidMicros),
    yesAskDollars: dollars(point.yesAskMicros),
    lastPriceDollars: dollars(point.lastPriceMicros),
    volume: contractsNumber(point.volumeContractMicros),
  };
}
