import type { Market, MarketEvent, MarketStatus, Score } from '#lib/api/schemas/market.ts';
import type { OutcomeStyle } from '#lib/market/pictures.ts';
import { CENT_MICROS, MICROS, parseMicros } from '#lib/money.ts';

/** Changing prices of a market; null means no bids, no offers or no trades. */
export type MarketPrices = {
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  noBidMicros: bigint | null;
  noAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
};

/** A market as the pages show it. Amounts are exact; times are ISO strings. */
export type MarketView = MarketPrices &
  OutcomeStyle & {
    ticker: string;
    eventTicker: string;
    title: string;
    /** Distinguishes this market from the others of its event. */
    label: string;
    /** Markets about the same player or team share it. */
    strikeGroup: string | null;
    status: MarketStatus;
    /** The part of the exchange that trades it. */
    shard: number;
    /** Yes pays a share of the dollar: its price is an expected payout, not a chance. */
    isScalar: boolean;
    openTime: string;
    /** The deadline; the outcome is usually known at `expectedEndTime`, and trading ends then. */
    closeTime: string;
    expectedEndTime: string;
    /** The exchange's result while it can be disputed. */
    proposedResult: string | null;
    volumeContractMicros: bigint;
    /** The price of about a day ago; null when there were no trades by then or it is not included. */
    previousPriceMicros: bigint | null;
    payoutYesMicros: bigint | null;
  };

/** A part of the exchange that can be paused separately. */
export type ShardView = { shard: number; name: string; tradingActive: boolean };

export type EventView = {
  eventTicker: string;
  title: string;
  subtitle: string;
  category: string;
  /** Path of its picture; absent when the exchange gives none. */
  picture?: string;
  volumeContractMicros: bigint;
  marketCount: number;
  /** Whether exactly one of the markets can end with Yes. */
  mutuallyExclusive: boolean;
  /** Of the game that it is about; null while it has none, undefined without a game. */
  score?: Score | null;
  markets: MarketView[];
};

/** An event as lists show it, with the figures that they are sorted by. */
export type ListedEvent = EventView & {
  seriesTicker: string;
  seriesTitle: string;
  /** Further events of its series, which the list leaves out. */
  moreInSeries: number;
  volume24hContractMicros: bigint;
  liquidityUsdcMicros: bigint;
  /** When its newest market opened. */
  newestOpenTime: string | undefined;
  /** Whether what it is about takes place now, such as a game. */
  isUnderWay: boolean;
};

/** What decides a market, in the exchange's words. */
export type MarketRules = Pick<Market, 'rulesPrimary' | 'rulesSecondary' | 'earlyCloseCondition'> &
  Pick<MarketEvent, 'settlementSources' | 'contractTermsUrl'>;

/** The event as its markets' pages link to it. */
export type MarketEventLink = {
  eventTicker: string;
  title: string;
  category: string;
  /** The link's text; null if the event asks the same question and has no other market. */
  linkText: string | undefined;
} & Pick<EventView, 'score'>;

/** The initial data of a market's page. */
export type MarketPageView = MarketRules & {
  market: MarketView;
  /** The parts of the exchange, as last reported. */
  shards: ShardView[];
  event: MarketEventLink | undefined;
  expirationTime: string;
  volume24hContractMicros: bigint;
  openInterestContractMicros: bigint;
  liquidityUsdcMicros: bigint;
  settledTime: string | null;
  /** The most informative other outcomes of the same event. */
  related: MarketView[];
};

/** The prices of a /v1 response, where 0 and 100 cents mean an empty side. */
export function pricesOf(market: Market): MarketPrices {
  return {
    yesBidMicros: bidOf(market.yesBidDollars),
    yesAskMicros: askOf(market.yesAskDollars),
    noBidMicros: bidOf(market.noBidDollars),
    noAskMicros: askOf(market.noAskDollars),
    lastPriceMicros: bidOf(market.lastPriceDollars),
  };
}

function bidOf(dollars: string): bigint | null {
  const micros = parseMicros(dollars);
  return micros === 0n ? null : micros;
}

function askOf(dollars: string): bigint | null {
  const micros = parseMicros(dollars);
  return micros === MICROS ? null : micros;
}

/** The widest spread at which the middle of the book counts as the market's estimate. */
const NARROW_SPREAD_MICROS = 100_000n;

/**
 * The chance of Yes that the market implies: the payout once settled, the middle of the book while
 * it is narrow, else the last trade, else nothing. One side alone implies no chance.
 */
export function impliedChance(
  market: MarketPrices & { payoutYesMicros?: bigint | null },
): bigint | null {
  if (market.payoutYesMicros !== null && market.payoutYesMicros !== undefined) {
    return market.payoutYesMicros;
  }
  const { yesBidMicros: bid, yesAskMicros: ask } = market;
  if (bid !== null && ask !== null && ask - bid <= NARROW_SPREAD_MICROS) return (bid + ask) / 2n;
  return market.lastPriceMicros;
}

const DECIDED_FROM_MICROS = (MICROS * 97n) / 100n;

/** Whether there is something left to trade: neither side is almost certain. */
export function isUndecided(market: MarketPrices): boolean {
  const chance = impliedChance(market);
  return chance !== null && chance < DECIDED_FROM_MICROS && chance > MICROS - DECIDED_FROM_MICROS;
}

/**
 * The most informative markets of an event, in its order: the likeliest if only one can win, the
 * least decided if they are independent.
 */
export function mostInformative(event: EventView, count: number): MarketView[] {
  const weight = (market: MarketView) => {
    const chance = impliedChance(market) ?? 0n;
    if (event.mutuallyExclusive) return chance;
    return chance < MICROS - chance ? chance : MICROS - chance;
  };
  const heaviest = [...event.markets]
    .sort((a, b) => (weight(b) > weight(a) ? 1 : weight(b) < weight(a) ? -1 : 0))
    .slice(0, count);
  return event.mutuallyExclusive
    ? heaviest
    : event.markets.filter((market) => heaviest.includes(market));
}

/** The change of the chance since about a day ago, in whole points; null when either is unknown. */
export function changePoints(
  market: MarketPrices & Pick<MarketView, 'previousPriceMicros' | 'payoutYesMicros'>,
): number | null {
  const now = impliedChance(market);
  if (now === null || market.previousPriceMicros === null) return null;
  return Number((now - market.previousPriceMicros) / CENT_MICROS);
}

/** Adds fresh prices to a view; a market missing from the response keeps its prices. */
export function withFresh(view: MarketView, fresh: Market | undefined): MarketView {
  if (!fresh) return view;
  return {
    ...view,
    ...pricesOf(fresh),
    status: fresh.status,
    volumeContractMicros: parseMicros(String(fresh.volume)),
    payoutYesMicros: fresh.settlement ? parseMicros(fresh.settlement.payoutYesDollars) : null,
  };
}

/** Whether a fresh market changes the view. */
export function hasChanged(view: MarketView, fresh: Market): boolean {
  const after = withFresh(view, fresh);
  return (Object.keys(after) as (keyof MarketView)[]).some((key) => after[key] !== view[key]);
}
