import type { NoFillReason, OutcomeSide, TradeAction } from './port.ts';

/** Orders that wait at the exchange: how they change, how they end, and how we learn of it. */

/** Why an order no longer waits. Only the feed says more than `filled` and `expired`. */
export type EndReason =
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'market_closed'
  /** The exchange or the market stopped, or the market was reactivated. */
  | 'halted'
  /** It met another order of ours. */
  | 'self_trade'
  | 'post_only_crossed'
  | 'other';

/** An order of ours as the exchange knows it. */
export type RestingOrder = {
  clientOrderId: string;
  exchangeOrderId: string;
  ticker: string;
  /** Of the whole order, on arrival and since. */
  filledContractMicros: bigint;
  /** Zero once it has ended. Filled and remaining together are the quantity in force. */
  remainingContractMicros: bigint;
  /** Its price limit in Yes terms: of a No order, the dollar less its price. */
  yesPriceMicros: bigint;
  /** It rests no longer, and its filled quantity is final. */
  hasEnded: boolean;
  /** Undefined while it rests, and where the exchange does not say. */
  endReason?: EndReason;
};

/** `absent` means what it means in `FindOrderOutcome`. */
export type ReadOrderOutcome =
  | { kind: 'found'; order: RestingOrder }
  | { kind: 'absent' }
  | { kind: 'not_yet_known' };

type OrderChangeRequest = {
  ticker: string;
  /** Of the market. */
  shard: number;
  exchangeOrderId: string;
  /** Checked right before sending, after all waiting; false leaves it unsent. */
  mayBeSent: () => Promise<boolean>;
};

/** May be sent again at any time: the exchange cancels an order once. */
export type CancelOrderRequest = OrderChangeRequest;

/**
 * Sets price and quantity. The order loses its place in the queue, unless only its quantity falls,
 * and may trade at once.
 */
export type AmendOrderRequest = OrderChangeRequest & {
  action: TradeAction;
  side: OutcomeSide;
  /** Worst price accepted per contract, of `side`, on the market's grid. */
  limitPriceMicros: bigint;
  /** The new quantity of the whole order, its fills included. */
  contractMicros: bigint;
  /** When the change was stored, which is its signing time: the exchange rejects an old one. */
  storedAt: Date;
};

/**
 * Takes contracts off what remains. The order keeps its place in the queue. Sent twice it takes off
 * twice: after an unknown outcome, read the order first.
 */
export type DecreaseOrderRequest = OrderChangeRequest & {
  /** Less than what remains; cancel the order to take off the rest. */
  byContractMicros: bigint;
  /** As of an amendment. */
  storedAt: Date;
};

/** Why the exchange certainly changed nothing, or did not say whether it did. */
type ChangeNotMade =
  /** It has no such resting order, or the market has closed: read the order. */
  | { kind: 'not_resting'; code: string }
  /** Paused or rate limited: send it again. */
  | { kind: 'wait'; code: string; retryAt?: Date }
  /** For a reason that an admin must fix (cash, key). */
  | { kind: 'our_fault'; code: string; detail: string }
  /** It may or may not have had an effect, or was not sent: read the order. */
  | { kind: 'unknown'; code: string };

export type CancelOrderOutcome =
  /** The order's quantity less this is what it has filled; the fills may be listed later. */
  { kind: 'cancelled'; cancelledContractMicros: bigint } | ChangeNotMade;

/**
 * The outcome of an amendment or a decrease. After `amended` the order may have traded or ended;
 * read it. An `unknown` one takes effect within the time of `ExchangeTiming.absenceMs` or never.
 */
export type AmendOrderOutcome =
  | { kind: 'amended' }
  /** For good: the price, the quantity, or an order of ours in the way. */
  | { kind: 'refused'; reason: NoFillReason; code: string }
  | ChangeNotMade;

/** A message of the feed about an order of ours; what it says is read from the exchange. */
export type OrderChange = { exchangeOrderId: string; clientOrderId: string; ticker: string };

export type OrderChangeHandlers = {
  /** It filled, changed or ended. */
  onChange: (change: OrderChange) => void;
  /** Messages may have been lost: read all resting orders. */
  onGap: () => void;
  signal: AbortSignal;
};

export type ExchangeRestingOrders = {
  cancelOrder(request: CancelOrderRequest): Promise<CancelOrderOutcome>;
  amendOrder(request: AmendOrderRequest): Promise<AmendOrderOutcome>;
  decreaseOrder(request: DecreaseOrderRequest): Promise<AmendOrderOutcome>;
  /** One order, ended and archived ones included. */
  readOrder(query: {
    ticker: string;
    exchangeOrderId: string;
    /** The latest signing time of the order. */
    sentAt: Date;
  }): Promise<ReadOrderOutcome>;
  /**
   * All resting orders of the account, on all shards, complete up to `getReadsKnownThrough`. An
   * order that is missing here may have ended: read it.
   */
  listRestingOrders(): Promise<RestingOrder[]>;
  /** By exchange order id: the contracts that trade before the order does. */
  listQueuePositions(tickers: readonly string[]): Promise<Map<string, bigint>>;
  /**
   * Registers for the messages that `subscribeFills` receives. The feed loses messages unnoticed:
   * compare with `listRestingOrders` as well.
   */
  onOrderChange(handlers: OrderChangeHandlers): void;
};
