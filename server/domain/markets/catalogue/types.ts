import type { SettlementSource } from '#server/exchange/catalogue.ts';
import type { MarketStatus } from '#server/exchange/port.ts';

/**
 * Results of the markets domain in exact units. A `null` price means that side of the book is empty
 * or no trade has happened yet. Prices are dollars per contract in micros; counts are contracts in
 * micros; `liquidityUsdcMicros` is the cash resting on both sides of the book.
 */
export type MarketRecord = {
  ticker: string;
  eventTicker: string;
  seriesTicker: string;
  title: string;
  subtitle: string;
  yesSubTitle: string;
  noSubTitle: string;
  status: MarketStatus;
  marketType: string;
  /** The part of the exchange that trades it. */
  shard: number;
  category: string;
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  noBidMicros: bigint | null;
  noAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
  /** The last price of about a day ago. */
  previousPriceMicros: bigint | null;
  liquidityUsdcMicros: bigint;
  volumeContractMicros: bigint;
  volume24hContractMicros: bigint;
  openInterestContractMicros: bigint;
  createdAt: Date;
  updatedAt: Date;
  openAt: Date;
  closeAt: Date;
  /** When the result is expected; the latest possible time when there is no estimate. */
  expirationAt: Date;
  /** When the outcome is expected; `closeAt` is only the deadline. */
  expectedEndAt: Date;
  canCloseEarly: boolean;
  earlyCloseCondition: string;
  /** The exchange's result while it can be disputed. */
  proposedResult: string | null;
  strike: number | null;
  strikeGroup: string | null;
  settledAt: Date | null;
  /** The payout of one Yes after settlement; No receives the rest of the dollar. */
  payoutYesMicros: bigint | null;
  result: 'yes' | 'no' | 'scalar' | 'void' | null;
  rulesPrimary: string;
  rulesSecondary: string;
  iconUrlDarkMode: string;
  iconUrlLightMode: string;
  backgroundColorDarkMode: string;
  backgroundColorLightMode: string;
};

export type EventRecord = {
  eventTicker: string;
  seriesTicker: string;
  seriesTitle: string;
  title: string;
  subtitle: string;
  category: string;
  frequency: string;
  mutuallyExclusive: boolean;
  totalVolumeContractMicros: bigint;
  totalMarketCount: number;
  activeMarketCount: number;
  iconUrlDarkMode: string;
  iconUrlLightMode: string;
  backgroundColorDarkMode: string;
  backgroundColorLightMode: string;
};

export type EventWithMarkets = EventRecord & {
  settlementSources: SettlementSource[];
  contractTermsUrl: string | null;
  milestones: Milestone[];
  markets: MarketRecord[];
};

export type MarketSort = 'volume' | 'volume_24h' | 'closing' | 'newest' | 'liquidity' | 'ticker';

export type ListMarketsInput = {
  limit: number;
  status?: MarketStatus;
  cursor?: string;
  eventTickers?: string[];
  tickers?: string[];
  category?: string;
  sort?: MarketSort;
};
export type ListMarketsResult = { markets: MarketRecord[]; cursor: string };

export type SearchSort = 'querymatch' | 'trending' | 'volume' | 'liquidity' | 'newest' | 'closing';

export type SearchMarketsInput = {
  query: string;
  pageSize: number;
  orderBy: SearchSort;
  /** The length from which a word may be mistyped; 0 takes every word literally. */
  fuzzyThreshold: number;
  cursor?: string;
  statuses?: MarketStatus[];
  category?: string;
  frequency?: string;
  seriesTicker?: string;
  /** Lists only the first event of each series. */
  isGrouped?: boolean;
};

/** A market of a search result; `score` is its relevance, higher first. */
export type SearchMarket = MarketRecord & { score: number };
/** A scheduled occurrence that events refer to, as the exchange publishes it. */
export type Milestone = {
  id: string;
  type: string;
  title: string;
  startsAt: Date;
  endsAt: Date | null;
};
export type SearchEvent = EventRecord & {
  score: number;
  /** Contracts traded in all events of its series. */
  totalSeriesVolumeContractMicros: bigint;
  markets: SearchMarket[];
  /** Empty until the mirror has any. */
  milestones: Milestone[];
  /** Other events of its series that match; undefined unless grouped. */
  moreInSeries: number | undefined;
};
export type SearchMarketsResult = {
  totalResultsCount: number;
  events: SearchEvent[];
  nextCursor: string;
  /** The query with its mistyped words replaced; undefined without any. */
  correctedQuery: string | undefined;
};

/** Prices of Yes at a moment; null without a bid, an offer or a trade. */
export type HourPrice = {
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
};

export type PricePoint = {
  at: Date;
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
  volumeContractMicros: bigint;
};
export type PriceRangeName = '1h' | '6h' | '1d' | '1w' | '1m' | 'all';
