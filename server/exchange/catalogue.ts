import type { ExchangeFinalResult, MarketStatus, PriceRange } from './port.ts';

/** What the mirror of an exchange's listings is made of. */

export type CatalogueSeries = {
  ticker: string;
  title: string;
  category: string;
  /** Free text of the exchange: hourly, daily, weekly, monthly, annual, custom, … */
  frequency: string;
  tags: string[];
  /** As the exchange names it; empty when it does not say. */
  feeType: string;
  feeMultiplierMicros: bigint;
  volumeContractMicros: bigint;
};

export type CatalogueMarket = {
  ticker: string;
  eventTicker: string;
  title: string;
  yesSubTitle: string;
  noSubTitle: string;
  marketType: string;
  status: MarketStatus;
  /** The exchange's own word, for statuses that ours folds together. */
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
  closeAt: Date;
  expirationAt: Date;
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
  /** Undefined when it was not asked for. */
  milestones?: ExchangeMilestone[];
};

/** A moment that events are about, such as the start of a game. */
export type ExchangeMilestone = {
  id: string;
  type: string;
  title: string;
  startsAt: Date;
  endsAt: Date | null;
};

/** Images and colours of an event and of its markets, by ticker; what is not told is left out. */
export type EventDisplayStyle = {
  imageUrl?: string;
  markets?: Record<string, { imageUrl?: string; color?: string }>;
};

/** Changes as the exchange announces them. Prices are of YES. */
export type CatalogueChange =
  | {
      kind: 'prices';
      ticker: string;
      yesBidMicros: bigint | null;
      yesAskMicros: bigint | null;
      lastPriceMicros: bigint | null;
      volumeContractMicros: bigint | undefined;
      openInterestContractMicros: bigint | undefined;
    }
  /** Something about the market changed; read it again. */
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
  /** A market that left the list long after it ended; undefined when it was never there. */
  getArchivedMarket(ticker: string): Promise<CatalogueMarket | undefined>;
  getEventDisplayStyles(eventTicker: string): Promise<EventDisplayStyle | undefined>;
  /** At most 100 tickers; the cash resting on both sides of each book. */
  listLiquidity(tickers: string[]): Promise<Map<string, bigint>>;
  listTrades(query: {
    ticker: string;
    limit: number;
    cursor?: string;
  }): Promise<{ trades: ExchangeTrade[]; cursor: string }>;
  listCandles(query: {
    seriesTicker: string;
    ticker: string;
    from: Date;
    to: Date;
    periodMinutes: 1 | 60 | 1440;
  }): Promise<ExchangeCandle[]>;
  /** The same of at most 100 markets, by ticker, in one call; 10,000 candles are the most. */
  listCandlesOf(query: {
    tickers: string[];
    from: Date;
    to: Date;
    periodMinutes: 1 | 60 | 1440;
  }): Promise<Map<string, ExchangeCandle[]>>;
  /**
   * Follows changes until the signal aborts; `onGap` is called whenever some may have been missed,
   * so that the caller reads again. Push alone is never enough.
   */
  watch(handlers: {
    onChange: (change: CatalogueChange) => void;
    onGap: (reason: string) => void;
    signal: AbortSignal;
  }): void;
};
