import type { PriceRange } from '#lib/market/ticks.ts';
import type { ExchangeTiming } from '../platform/config/exchange.ts';
import type { CataloguePrices, ExchangeCatalogue, ExchangeTrade } from './catalogue.ts';
import type { ExchangeRestingOrders } from './restingOrders.ts';

/**
 * What the domains need from an exchange, in our own terms. One implementation uses Kalshi's Trade
 * API; a second exchange would be another folder beside it, without a change to any domain.
 *
 * Quantities are `contractMicros`, prices `priceMicros` (1e-6 dollar) of the side they belong to,
 * money `usdcMicros`. Times are `Date`.
 */

export type OutcomeSide = 'yes' | 'no';
export type TradeAction = 'buy' | 'sell';

export type MarketStatus = 'unopened' | 'open' | 'paused' | 'closed' | 'settled';

/** One resting level; best first. */
export type BookLevel = { priceMicros: bigint; contractMicros: bigint };

/**
 * The order book as bids of both sides, best (highest price) first. An offer of one side at p is
 * a bid of the other at 1 - p, so bids alone are the whole book.
 */
export type OrderBook = { ticker: string; yesBids: BookLevel[]; noBids: BookLevel[] };

/** How a market's fees are computed; `unknown` means that nothing may be quoted. */
export type FeeRule =
  | { kind: 'waived' }
  | { kind: 'quadratic'; takerRateMicros: bigint; multiplierMicros: bigint }
  | { kind: 'unknown'; feeType: string };

export type ExchangeFinalResult = {
  /** The payout of one Yes contract, 0 to 1_000_000. No receives the rest of the dollar. */
  payoutYesMicros: bigint;
  result: 'yes' | 'no' | 'scalar' | 'void';
  settledAt: Date;
};

/**
 * How long an order may wait: `immediate` cancels what does not trade on arrival, `fill_or_kill`
 * trades the whole quantity on arrival or nothing, `resting` waits until it is filled or ends.
 */
export type TimeInForce = 'immediate' | 'fill_or_kill' | 'resting';

/** An order with a price limit, in terms of the side the user trades. */
export type PlaceOrderRequest = {
  /** Deterministic and used for this attempt only; stored before it is sent. At most 64 chars. */
  clientOrderId: string;
  ticker: string;
  /** Of the market: an order sent to another shard is refused. */
  shard: number;
  action: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
  /** Worst price accepted per contract, of `side`, on the market's grid. */
  limitPriceMicros: bigint;
  /** `immediate` if not given. */
  timeInForce?: TimeInForce;
  /** When a resting order ends by itself, in whole seconds; if not given, with its market. */
  restsUntil?: Date;
  /** Of a resting order: it ends without effect if it would trade on arrival. */
  isPostOnly?: boolean;
  /** When the attempt was stored, which is its signing time: the exchange rejects an old one. */
  storedAt: Date;
  /** Checked right before sending, after all waiting; false leaves it unsent. */
  mayBeSent: () => Promise<boolean>;
};

export type ExchangeFill = {
  /** The exchange's id of the fill, unique. */
  fillId: string;
  exchangeOrderId: string;
  contractMicros: bigint;
  /** Price per contract of the traded side. */
  priceMicros: bigint;
  /** Added to a buy, deducted from a sale. */
  feeMicros: bigint;
  at: Date;
};

/** Why the exchange certainly did nothing. */
export type NoFillReason =
  | 'nothing_at_price'
  /** Of `fill_or_kill`: less than its quantity was offered, own orders not counted. */
  | 'not_filled_whole'
  | 'post_only_would_cross'
  /** It would have traded with an order of ours. */
  | 'would_self_trade'
  | 'price_not_allowed'
  | 'market_closed'
  | 'market_not_found'
  | 'refused';

/**
 * The outcome of an order.
 * - `done`: it responded; `filledContractMicros` may be zero or partial. Fees come with the fills.
 *   Of a resting order it is what filled on arrival; the rest waits unless `restingContractMicros`
 *   is zero (filled, or stopped at an order of ours: read the order).
 * - `no_fill`: certainly no effect.
 * - `wait`: certainly no effect, and a retry may succeed (paused, rate limited); retry with
 *   the same client order id when `spent` is false, with a new one when it is true.
 * - `our_fault`: certainly no effect, for a reason that an admin must fix (cash, key).
 * - `unknown`: it may or may not have had an effect, or was not sent; find out with
 *   {@link ExchangeTrading.findOrder}.
 */
export type PlaceOrderOutcome =
  | {
      kind: 'done';
      exchangeOrderId: string;
      filledContractMicros: bigint;
      /** Only of a resting order. */
      restingContractMicros?: bigint;
    }
  | { kind: 'no_fill'; reason: NoFillReason; code: string }
  | { kind: 'wait'; code: string; spent: boolean; retryAt?: Date }
  | { kind: 'our_fault'; code: string; detail: string }
  | { kind: 'unknown'; code: string };

/**
 * `absent` is returned only by a read that is newer than `sentAt` by the time after which the
 * exchange no longer accepts the message; until then the result is `not_yet_known`.
 */
export type FindOrderOutcome =
  | {
      kind: 'found';
      exchangeOrderId: string;
      /** False while it rests or is being matched. */
      ended: boolean;
      filledContractMicros: bigint;
    }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/** An order of our account, under any client order id. */
export type ExchangeOrder = { clientOrderId: string; ticker: string; filledContractMicros: bigint };

export type ExchangePosition = {
  ticker: string;
  /** Signed: positive is Yes, negative is No. Exchanges net the two. */
  netContractMicros: bigint;
};

/** The exchange's payment for our net position in an ended market. */
export type ExchangeSettlement = {
  ticker: string;
  /** Signed like a position's. */
  netContractMicros: bigint;
  revenueMicros: bigint;
  /** Undefined when the exchange does not report it. */
  payoutYesMicros: bigint | undefined;
  settledAt: Date;
};

/** Until when the account may trade categories that depend on the place it trades from. */
export type RegionAttestation = { expiresAt: Date; categories: readonly string[] };

/** Cash of our account on one shard, free for orders. */
export type ShardBalance = { shard: number; balanceMicros: bigint };

export type ShardTransferRequest = {
  source: number;
  destination: number;
  /** A multiple of 100: the exchange counts in centicents. */
  amountMicros: bigint;
  /** When the transfer was stored, which is its signing time: the exchange rejects an old one. */
  storedAt: Date;
  /** Checked right before sending, after all waiting; false leaves it unsent. */
  mayBeSent: () => Promise<boolean>;
};

/**
 * The outcome of a transfer request. `refused` certainly moved nothing; `unknown` may have, or was
 * not sent: find out with {@link ExchangeShards.findTransfer}.
 */
export type TransferOutcome =
  | { kind: 'accepted'; exchangeTransferId: string }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; code: string };

/** `absent` means what it means in {@link FindOrderOutcome}. */
export type FindTransferOutcome =
  | { kind: 'found'; exchangeTransferId: string; isComplete: boolean }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

/** Our cash, which the exchange holds per shard, and its transfers between shards. */
export type ExchangeShards = {
  /** On all shards together. */
  getBalanceMicros(): Promise<bigint>;
  listBalances(): Promise<ShardBalance[]>;
  transferCash(request: ShardTransferRequest): Promise<TransferOutcome>;
  /**
   * The exchange takes no id of ours for a transfer: it is found by its shards, its exact amount
   * and its time. `isTaken` excludes transfers that are known to be others.
   */
  findTransfer(
    query: Pick<ShardTransferRequest, 'source' | 'destination' | 'amountMicros' | 'storedAt'> & {
      isTaken: (exchangeTransferId: string) => boolean;
    },
  ): Promise<FindTransferOutcome>;
  /** Whether the exchange itself moves cash between shards, towards targets of its own. */
  isAllocatedByExchange(): Promise<boolean>;
  /** Whether an accepted transfer has reached its destination. */
  isTransferComplete(exchangeTransferId: string): Promise<boolean>;
};

export type ExchangeTrading = ExchangeShards &
  ExchangeRestingOrders & {
    readonly timing: ExchangeTiming;
    placeOrder(request: PlaceOrderRequest): Promise<PlaceOrderOutcome>;
    findOrder(query: {
      ticker: string;
      clientOrderId: string;
      /** Its latest signing time. */
      sentAt: Date;
      /** The earliest possible send time, if before `sentAt`: where the search starts. */
      since?: Date;
    }): Promise<FindOrderOutcome>;
    /**
     * Subscribes to fills and ended orders until the signal aborts. The feed is only a faster source
     * of what `listFills` and `findOrder` return.
     */
    subscribeFills(signal: AbortSignal): void;
    /**
     * The fills of one order from the feed, when they add up to what the order reported as filled;
     * undefined when they do not shortly, or the feed is down.
     */
    bufferedFills(query: {
      exchangeOrderId: string;
      side: OutcomeSide;
      filledContractMicros: bigint;
    }): Promise<ExchangeFill[] | undefined>;
    /** All fills of one order that the exchange lists. They appear late: check their sum. */
    listFills(query: {
      ticker: string;
      exchangeOrderId: string;
      side: OutcomeSide;
      sentAt: Date;
    }): Promise<ExchangeFill[]>;
    /**
     * The time, by our clock, up to which reads of our own orders, positions and cash are complete.
     */
    getReadsKnownThrough(): Promise<Date>;
    /** Undefined when the account has none. */
    getRegionAttestation(): Promise<RegionAttestation | undefined>;
    listPositions(): Promise<ExchangePosition[]>;
    /** Orders that reached the exchange since, in all markets, archived ones included. */
    listOrders(query: { since: Date }): Promise<ExchangeOrder[]>;
    listSettlements(query: { since: Date; ticker?: string }): Promise<ExchangeSettlement[]>;
  };

/** A part of the exchange with its own collateral and its own pauses. */
export type ShardStatus = {
  shard: number;
  /** The exchange's description of it. */
  name: string;
  exchangeActive: boolean;
  tradingActive: boolean;
  /** Whether cash may move to and from it. */
  transfersActive: boolean;
};

export type ExchangeStatus = {
  /** Whether any shard is active, or trading. */
  exchangeActive: boolean;
  tradingActive: boolean;
  /** Empty when the exchange names none. */
  shards: ShardStatus[];
  resumesAt?: Date;
};

export type Weekday =
  | 'monday'
  | 'tuesday'
  | 'wednesday'
  | 'thursday'
  | 'friday'
  | 'saturday'
  | 'sunday';

/** The exchange's trading hours. Sessions are wall-clock times, HH:MM, 24:00 being midnight. */
export type ExchangeSchedule = {
  timeZone: string;
  hours: {
    from: Date | null;
    to: Date | null;
    sessions: Record<Weekday, { opens: string; closes: string }[]>;
  }[];
  maintenance: { startsAt: Date; endsAt: Date }[];
};

/** A market's current terms for trading and quoting, read from the source. */
export type ExchangeMarket = {
  ticker: string;
  eventTicker: string;
  shard: number;
  status: MarketStatus;
  closeAt: Date;
  priceRanges: PriceRange[];
  final?: ExchangeFinalResult;
};

/** What the exchange reports of a followed market, as it happens. */
export type MarketUpdate =
  /** The book is complete, for the first time or again; read it as a whole. */
  | { kind: 'book' }
  /** The new size of one level, at a price of its side; zero when the level is gone. */
  | { kind: 'level'; side: OutcomeSide; level: BookLevel }
  /** Messages may have been lost: the book may be wrong until the next `book`. */
  | { kind: 'stale' }
  | { kind: 'trade'; trade: ExchangeTrade }
  /** Trades may have been lost; `listTrades` has them. */
  | { kind: 'trades_missed' }
  | { kind: 'prices'; prices: CataloguePrices };

/** A complete book, and when it was last known to be. */
export type CurrentBook = { book: OrderBook; asOf: Date };

export type FollowedMarket = {
  /** Undefined until the book is complete, and while it is stale. */
  getBook(): CurrentBook | undefined;
  /** Reports nothing more. */
  stop(): void;
};

export type ExchangeMarketData = {
  getStatus(): Promise<ExchangeStatus>;
  getSchedule(): Promise<ExchangeSchedule>;
  getMarket(ticker: string): Promise<ExchangeMarket | undefined>;
  /** An empty book for a market that does not exist. */
  getOrderBook(ticker: string): Promise<OrderBook>;
  /**
   * Follows book, trades and prices of a market until it is stopped. All followed markets share one
   * connection; it is opened with the first and closed after the last.
   */
  followMarket(ticker: string, onUpdate: (update: MarketUpdate) => void): FollowedMarket;
  /** The fees of a market in force now. */
  getFeeRule(ticker: string): Promise<FeeRule>;
};

export type Exchange = ExchangeTrading &
  ExchangeMarketData & { readonly name: string; readonly catalogue: ExchangeCatalogue };
