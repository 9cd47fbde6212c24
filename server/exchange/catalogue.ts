import type { PriceRange } from '#lib/market/ticks.ts';
import type { ExchangeFinalResult, MarketStatus } from './port.ts';

/** The types that the mirror of an exchange's listings is built from. */

export type CatalogueSeries = {
  ticker: string;
  title: string;
  category: string;
  /** Free text of the exchange: hourly, daily, weekly, monthly, annual, custom, … */
  frequency: string;
  tags: string[];
  /** As the exchange names it; empty when unspecified. */
  feeType: string;
  feeMultiplierMicros: bigint;
  volumeContractMicros: bigint;
  /** Who decides its markets. */
  settlementSources: SettlementSource[];
  /** The full contract terms; null when the exchange names none. */
  contractTermsUrl: string | null;
};

export type SettlementSource = { name: string; url: string };

export type CatalogueMarket = {
  ticker: string;
  eventTicker: string;
  shard: number;
  title: string;
  yesSubTitle: string;
  noSubTitle: string;
  marketType: string;
  status: MarketStatus;
  /** The exchange's own status, for statuses that ours combine. */
  exchangeStatus: string;
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  yesBidContractMicros: bigint;
  yesAskContractMicros: bigint;
  lastPriceMicros: bigint | null;
  previousPriceMicros: bigint | null;
  volumeContractMicros: bigint;
  volume24hContractMicros: bigint;
  openInterestContractMicros: bigint;
  createdAt: Date;
  updatedAt: Date;
  openAt: Date;
  /** The deadline: trading ends then at the latest, often years after the outcome is known. */
  closeAt: Date;
  expirationAt: Date;
  /** When the outcome is expected; never after the deadline. */
  expectedEndAt: Date;
  canCloseEarly: boolean;
  earlyCloseCondition: string;
  /** The result that the exchange proposes while it can still be disputed; null without one. */
  proposedResult: string | null;
  /** The number that decides the market, and whom or what it is about; null without a strike. */
  strike: number | null;
  strikeGroup: string | null;
  rulesPrimary: string;
  rulesSecondary: string;
  priceRanges: PriceRange[];
  /** Combinations of other markets and provisional listings are not offered. */
  isOffered: boolean;
  final?: ExchangeFinalResult;
};

export type CatalogueEvent = {
  eventTicker: string;
  seriesTicker: string;
  title: string;
  subtitle: string;
  mutuallyExclusive: boolean;
  category: string;
  markets: CatalogueMarket[];
  /** Undefined when not requested. */
  milestones?: ExchangeMilestone[];
};

/** A scheduled moment that events refer to, such as the start of a game. */
export type ExchangeMilestone = {
  id: string;
  type: string;
  title: string;
  startsAt: Date;
  endsAt: Date | null;
};

/** The score of a game that has begun; the teams in the order in which its title names them. */
export type ExchangeScore = {
  milestoneId: string;
  phase: 'live' | 'ended';
  /** How far the game is, such as "Q3 5:22"; empty when unknown. */
  statusText: string;
  teams: [ScoredTeam, ScoredTeam];
};

export type ScoredTeam = { name: string; points: number };

/** Images and colours of an event and of its markets, by ticker; unspecified ones are absent. */
export type EventDisplayStyle = {
  imageUrl?: string;
  markets?: Record<string, { imageUrl?: string; color?: string }>;
};

/** Prices of Yes in a market. */
export type CataloguePrices = {
  ticker: string;
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
  volumeContractMicros: bigint | undefined;
  openInterestContractMicros: bigint | undefined;
};

/** Changes that the exchange announces. */
export type CatalogueChange =
  | ({ kind: 'prices' } & CataloguePrices)
  /** The market changed; read it again. */
  | { kind: 'market'; ticker: string }
  | { kind: 'event'; eventTicker: string };

export type ExchangeTrade = {
  tradeId: string;
  ticker: string;
  contractMicros: bigint;
  yesPriceMicros: bigint;
  takerSide: 'yes' | 'no';
  at: Date;
};

export type ExchangeCandle = {
  at: Date;
  yesBidMicros: bigint | null;
  yesAskMicros: bigint | null;
  lastPriceMicros: bigint | null;
  volumeContractMicros: bigint;
};

export type ExchangeCatalogue = {
  listSeries(): Promise<CatalogueSeries[]>;
  /** Events with their markets, page by page; the cursor is empty on the last page. */
  listEvents(query: {
    cursor?: string;
    status?: 'unopened' | 'open' | 'closed' | 'settled';
    minUpdatedAt?: Date;
  }): Promise<{ events: CatalogueEvent[]; cursor: string }>;
  listMarkets(query: {
    cursor?: string;
    tickers?: string[];
    eventTicker?: string;
    minUpdatedAt?: Date;
    status?: MarketStatus;
  }): Promise<{ markets: CatalogueMarket[]; cursor: string }>;
  getEvent(eventTicker: string): Promise<CatalogueEvent | undefined>;
  /** A market that left the list long after it ended; undefined when it never existed. */
  getArchivedMarket(ticker: string): Promise<CatalogueMarket | undefined>;
  /** The markets of an event that left the list. */
  listArchivedMarkets(eventTicker: string): Promise<CatalogueMarket[]>;
  getEventDisplayStyles(eventTicker: string): Promise<EventDisplayStyle | undefined>;
  /** Of at most 100 milestones, in one call; without those that are no game or have not begun. */
  listScores(milestones: Pick<ExchangeMilestone, 'id' | 'title'>[]): Promise<ExchangeScore[]>;
  /** At most 100 tickers; the cash resting on both sides of each book. */
  listLiquidity(tickers: string[]): Promise<Map<string, bigint>>;
  /** Newest first, back to the market's opening. */
  listTrades(query: {
    ticker: string;
    limit: number;
    cursor?: string;
    /** When the market opened, if known: spares a search for older trades in the archive. */
    openedAt?: Date;
  }): Promise<{ trades: ExchangeTrade[]; cursor: string }>;
  listCandles(query: {
    seriesTicker: string;
    ticker: string;
    from: Date;
    to: Date;
    periodMinutes: 1 | 60 | 1440;
  }): Promise<ExchangeCandle[]>;
  /**
   * Candles of at most 100 listed markets, by ticker, in one call; at most 10,000 candles. Without
   * the markets that the exchange did not report.
   */
  listCandlesOf(query: {
    tickers: string[];
    from: Date;
    to: Date;
    periodMinutes: 1 | 60 | 1440;
  }): Promise<Map<string, ExchangeCandle[]>>;
  /**
   * Subscribes to changes until the signal aborts; `onGap` is called whenever messages may have
   * been lost, so that the caller reads again. The feed alone is not reliable.
   */
  watch(handlers: {
    onChange: (change: CatalogueChange) => void;
    onGap: (reason: string) => void;
    signal: AbortSignal;
  }): void;
};
