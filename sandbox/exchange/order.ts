import type { BookSide } from './book.ts';

export type TimeInForce = 'fill_or_kill' | 'immediate_or_cancel' | 'good_till_canceled';
export type OrderStatus = 'resting' | 'canceled' | 'executed';

/** Why an order changed or ended, in its message. A cancellation by its owner has none. */
export type UpdateReason =
  | 'Decrease'
  | 'Amend'
  | 'Trade'
  | 'SelfTradeCancel'
  | 'ExpiryCancel'
  | 'CloseCancel'
  | 'HaltCancel'
  | 'PostOnlyCrossCancel';

/** An order of an account, as it is stored and reported. */
export type Order = {
  orderId: string;
  accountId: string;
  clientOrderId: string;
  ticker: string;
  /** The shard of its market. */
  shard: number;
  side: BookSide;
  priceMicros: bigint;
  initialMicros: bigint;
  filledMicros: bigint;
  remainingMicros: bigint;
  status: OrderStatus;
  timeInForce: TimeInForce;
  selfTrade: 'taker_at_cross' | 'maker';
  takerCostMicros: bigint;
  makerCostMicros: bigint;
  takerFeesMicros: bigint;
  makerFeesMicros: bigint;
  /** Accumulated rounding fees, refunded in whole units. */
  accumulatorMicros: bigint;
  lockedMicros: bigint;
  expiresAt: number | undefined;
  cancelOnPause: boolean;
  /** Missing in orders of earlier versions. */
  postOnly?: boolean;
  orderGroupId: string | undefined;
  createdAt: number;
  updatedAt: number;
  /** When it came to its place in the queue. */
  queuedAt?: number;
};

export type Fill = {
  fillId: string;
  accountId: string;
  orderId: string;
  clientOrderId: string;
  ticker: string;
  shard: number;
  side: BookSide;
  contractMicros: bigint;
  /** In YES terms. */
  priceMicros: bigint;
  feeMicros: bigint;
  isTaker: boolean;
  netAfterMicros: bigint;
  at: number;
};

export type OrderRequest = {
  ticker: string;
  /** The shard it is sent to; undefined routes it by its ticker. */
  shard?: number;
  clientOrderId: string;
  side: BookSide;
  priceMicros: bigint;
  contractMicros: bigint;
  timeInForce: TimeInForce;
  selfTrade: 'taker_at_cross' | 'maker';
  expiresAt?: number;
  postOnly: boolean;
  reduceOnly: boolean;
  cancelOnPause: boolean;
  orderGroupId?: string;
};

/** A refusal in the exchange's own words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function badShard(shard: number): Refusal {
  return new Refusal(400, 'invalid_parameters', `there is no exchange index ${shard}`);
}

/** JSON with bigints, for rows that are only read back by this program. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? { $n: item.toString() } : item,
  );
}

export function decode<T>(text: string): T {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item === 'object' && item !== null && '$n' in item) return BigInt(String(item.$n));
    return item;
  }) as T;
}
