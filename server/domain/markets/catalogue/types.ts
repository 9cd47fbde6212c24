import type {
  ExchangeCandle,
  ExchangeMilestone,
  SettlementSource,
} from '#server/exchange/catalogue.ts';
import type { MarketStatus } from '#server/exchange/port.ts';
import type { markets } from '#server/platform/database/schema/markets.ts';

/** The mirror's own columns. */
type Internal =
  | 'yesTokenId'
  | 'noTokenId'
  | 'syncedAt'
  | 'historyReadAt'
  | 'finalSeenAt'
  | 'contentHash';

/**
 * A market in exact units. A `null` price means that side of the book is empty or no trade has
 * happened yet. Prices are dollars per contract in micros; counts are contracts in micros;
 * `liquidityUsdcMicros` is the cash resting on both sides of the book.
 */
export type MarketRecord = Omit<typeof markets.$inferSelect, Internal> & {
  noBidMicros: bigint | null;
  noAskMicros: bigint | null;
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
export type Milestone = ExchangeMilestone;
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
export type HourPrice = Pick<PricePoint, 'yesBidMicros' | 'yesAskMicros' | 'lastPriceMicros'>;

export type PricePoint = ExchangeCandle;
export type PriceRangeName = '1h' | '6h' | '1d' | '1w' | '1m' | 'all';
