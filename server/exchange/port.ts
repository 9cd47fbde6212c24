import type { ExchangeTiming } from '../platform/config/exchange.ts';
import type { ExchangeCatalogue } from './catalogue.ts';

/**
 * What the domains need from an exchange, in our own terms. One implementation speaks Kalshi's
 * Trade API; a second exchange would be another file beside it and no change to any domain.
 *
 * Quantities are `contractMicros`, prices `priceMicros` (1e-6 dollar) of the side they stand on,
 * money `usdcMicros`. Times are `Date`.
 */

export type OutcomeSide = 'yes' | 'no';
export type TradeAction = 'buy' | 'sell';

export type MarketStatus = 'unopened' | 'open' | 'paused' | 'closed' | 'settled';

/** A run of prices [startMicros, endMicros] on which orders move in steps of stepMicros. */
export type PriceRange = { startMicros: bigint; endMicros: bigint; stepMicros: bigint };

/** One resting level; best first. */
export type BookLevel = { priceMicros: bigint; contractMicros: bigint };

/**
 * The order book as bids of both sides, best (highest price) first. An offer of one side at p is
 * a bid of the other at 1 - p, so bids alone are the whole book.
 */
export type OrderBook = { ticker: string; yesBids: BookLevel[]; noBids: BookLevel[] };

/** How a market's fees are reckoned; `unknown` means that nothing may be quoted. */
export type FeeRule =
  | { kind: 'waived' }
  | { kind: 'quadratic'; takerRateMicros: bigint; multiplierMicros: bigint }
  | { kind: 'unknown'; feeType: string };

export type ExchangeFinalResult = {
  /** What one YES contract pays, 0 to 1_000_000. NO pays the rest of the dollar. */
  payoutYesMicros: bigint;
  result: 'yes' | 'no' | 'scalar' | 'void';
  settledAt: Date;
};

/** An immediate-or-cancel order at a bound, in terms of the side the user trades. */
export type PlaceOrderRequest = {
  /** Deterministic and used for this attempt only; stored before it is sent. At most 64 chars. */
  clientOrderId: string;
  ticker: string;
  action: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
  /** Worst price accepted per contract, of `side`, on the market's grid. */
  limitPriceMicros: bigint;
  /** When it was stored, which is the time it is signed with: the exchange refuses it when that is old. */
  storedAt: Date;
  /** Asked right before it leaves, after everything that is waited for; a no leaves it unsent. */
  mayBeSent: () => Promise<boolean>;
};

export type ExchangeFill = {
  /** The exchange's id of the fill, unique. */
  fillId: string;
  exchangeOrderId: string;
  contractMicros: bigint;
  /** Price per contract of the side that was traded. */
  priceMicros: bigint;
  /** Charged on top of a buy, taken off a sale. */
  feeMicros: bigint;
  at: Date;
};

/** Why the exchange certainly did nothing. */
export type NoFillReason =
  | 'nothing_at_price'
  | 'price_not_allowed'
  | 'market_closed'
  | 'market_not_found'
  | 'refused';

/**
 * What is known after asking the exchange to trade.
 * - `done`: it answered; `filledContractMicros` may be zero or partial. Fees come with the fills.
 * - `no_fill`: definitely nothing happened.
 * - `wait`: definitely nothing happened and it may later (paused, rate limited); ask again with
 *   the same client order id when `spent` is false, with a new one when it is true.
 * - `our_fault`: definitely nothing happened, for a reason the operator must cure (cash, key).
 * - `unknown`: it may or may not have happened, or was not sent; find out with {@link Venue.findOrder}.
 */
export type PlaceOrderOutcome =
  | { kind: 'done'; exchangeOrderId: string; filledContractMicros: bigint }
  | { kind: 'no_fill'; reason: NoFillReason; code: string }
  | { kind: 'wait'; code: string; spent: boolean; retryAt?: Date }
  | { kind: 'our_fault'; code: string; detail: string }
  | { kind: 'unknown'; code: string };

/**
 * `absent` is only answered by a reading that is newer than `sentAt` by the time after which the
 * exchange can take the message no more; until then the answer is `not_yet_known`.
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

/** An order of our account, under whatever client order id. */
export type ExchangeOrder = { clientOrderId: string; ticker: string; filledContractMicros: bigint };

export type ExchangePosition = {
  ticker: string;
  /** Signed: positive is YES, negative is NO. Exchanges net the two. */
  netContractMicros: bigint;
};

/** What the exchange paid for a net position of ours in a market that ended. */
export type ExchangeSettlement = {
  ticker: string;
  /** Signed like a position's. */
  netContractMicros: bigint;
  revenueMicros: bigint;
  /** Undefined when the exchange does not say. */
  payoutYesMicros: bigint | undefined;
  settledAt: Date;
};

export type ExchangeTrading = {
  readonly timing: ExchangeTiming;
  placeOrder(request: PlaceOrderRequest): Promise<PlaceOrderOutcome>;
  findOrder(query: {
    ticker: string;
    clientOrderId: string;
    /** The time it was signed with last. */
    sentAt: Date;
    /** The earliest it can have been sent, when that is before `sentAt`: how far back to look. */
    since?: Date;
  }): Promise<FindOrderOutcome>;
  /**
   * Has the exchange tell fills by itself from now on, until the signal ends it. They are only a
   * shorter way to what `listFills` answers.
   */
  subscribeFills(signal: AbortSignal): void;
  /**
   * The fills of one order as the exchange has told them by itself, when they add up to what the
   * order reported as filled; undefined when they do not in a moment, or nobody listens.
   */
  bufferedFills(query: {
    exchangeOrderId: string;
    side: OutcomeSide;
    filledContractMicros: bigint;
  }): Promise<ExchangeFill[] | undefined>;
  /** All fills of one order that the exchange shows. They show up late: look at their sum. */
  listFills(query: {
    ticker: string;
    exchangeOrderId: string;
    side: OutcomeSide;
    sentAt: Date;
  }): Promise<ExchangeFill[]>;
  /** The moment, by our clock, up to which reads of our own orders, positions and cash are complete. */
  getReadsKnownThrough(): Promise<Date>;
  getBalanceMicros(): Promise<bigint>;
  listPositions(): Promise<ExchangePosition[]>;
  /** Orders that reached the exchange since, in all markets. */
  listOrders(query: { since: Date }): Promise<ExchangeOrder[]>;
  listSettlements(query: { since: Date; ticker?: string }): Promise<ExchangeSettlement[]>;
};

export type ExchangeStatus = {
  exchangeActive: boolean;
  tradingActive: boolean;
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

/** When the exchange means to trade. Sessions are wall-clock times, HH:MM, 24:00 being midnight. */
export type ExchangeSchedule = {
  timeZone: string;
  hours: {
    from: Date | null;
    to: Date | null;
    sessions: Record<Weekday, { opens: string; closes: string }[]>;
  }[];
  maintenance: { startsAt: Date; endsAt: Date }[];
};

/** What trading and quoting must know of a market at the moment of asking, fresh from source. */
export type ExchangeMarket = {
  ticker: string;
  eventTicker: string;
  status: MarketStatus;
  closeAt: Date;
  priceRanges: PriceRange[];
  final?: ExchangeFinalResult;
};

export type ExchangeMarketData = {
  getStatus(): Promise<ExchangeStatus>;
  getSchedule(): Promise<ExchangeSchedule>;
  getMarket(ticker: string): Promise<ExchangeMarket | undefined>;
  /** An empty book for a market that does not exist. */
  getOrderBook(ticker: string): Promise<OrderBook>;
  /** The fees in force for a market now. */
  getFeeRule(ticker: string): Promise<FeeRule>;
};

export type Exchange = ExchangeTrading &
  ExchangeMarketData & { readonly name: string; readonly catalogue: ExchangeCatalogue };
