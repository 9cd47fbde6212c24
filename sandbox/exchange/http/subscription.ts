import { MICROS } from '#lib/money.ts';

export const CHANNELS = [
  'orderbook_delta',
  'ticker',
  'trade',
  'fill',
  'user_orders',
  'market_positions',
  'market_lifecycle_v2',
  'order_group_updates',
] as const;
export type Channel = (typeof CHANNELS)[number];

const UNNUMBERED: readonly Channel[] = ['fill', 'user_orders', 'market_positions'];

/** Messages about the account's own trading have no numbers; replies on these channels do. */
export function isUnnumbered(channel: Channel): boolean {
  return UNNUMBERED.includes(channel);
}

export type Subscription = {
  sid: number;
  channel: Channel;
  /** Undefined means all markets. */
  tickers: Set<string> | undefined;
  seq: number;
  yesPrices: boolean;
};

/** The complement, for sides whose prices are in their own terms. */
export function complement(priceMicros: bigint): bigint {
  return MICROS - priceMicros;
}
