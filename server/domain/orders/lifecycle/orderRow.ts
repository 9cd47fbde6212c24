import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import type { OrderAction } from '#lib/api/schemas/order.ts';
import { saltOf } from '#lib/order/orderToSign.ts';
import { marketKeyOf, OUTCOME_INDEX } from '#lib/outcomeToken.ts';
import type { VaultOrder } from '#server/chain/vaultOrder.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

export type OrderRow = typeof orders.$inferSelect;

const TRADE_FIELDS = [
  'ticker',
  'side',
  'tradeAction',
  'contractMicros',
  'quoteLimitUsdcMicros',
  'receiverAddress',
  'expiresAt',
  'clientRef',
] as const satisfies (keyof OrderRow)[];

type TradeField = (typeof TRADE_FIELDS)[number];

/** An order with the fields that only a withdrawal lacks. */
export type TradeOrder = OrderRow & {
  [Field in TradeField]: NonNullable<OrderRow[Field]>;
} & {
  /** Empty for a redemption, which has no id in the vault. */
  chainOrderId: string;
};

/** Narrows a row to a trade. A row without its fields is a bug, so it throws. */
export function asTradeOrder(order: OrderRow): TradeOrder {
  const needed = [...TRADE_FIELDS, ...(order.isRedemption ? [] : (['chainOrderId'] as const))];
  if (needed.some((field) => order[field] === null)) {
    throw new TypeError(`intent ${order.id} is not an order`);
  }
  return { ...order, chainOrderId: order.chainOrderId ?? '' } as TradeOrder;
}

/** Whether a purchase spends an amount; otherwise it buys a number of contracts. */
export function isSizedByAmount({ action }: Pick<OrderRow, 'action'>): boolean {
  const { order } = action as Partial<OrderAction>;
  return order?.sizedBy === 'maxQuoteQuantityIn';
}

/** Whether an order waits at the exchange; the others trade on arrival or not at all. */
export function rests({ timeInForce }: Pick<OrderRow, 'timeInForce'>): boolean {
  return timeInForce === 'GTC' || timeInForce === 'GTD';
}

/** Whether a stop order's price has not been reached yet. */
export function awaitsTrigger({
  triggerPriceMicros,
  triggeredAt,
}: Pick<OrderRow, 'triggerPriceMicros' | 'triggeredAt'>): boolean {
  return triggerPriceMicros !== null && triggeredAt === null;
}

/** Whether an order may be open for long: it rests, or waits for its price first. */
export function isLongLived(order: Pick<OrderRow, 'timeInForce' | 'triggerPriceMicros'>): boolean {
  return rests(order) || order.triggerPriceMicros !== null;
}

/** The same in SQL, of the table `orders` or its alias. */
export function restsSql(table: 'o' | 'orders'): SQL {
  return sql.raw(`coalesce(${table}.time_in_force in ('GTC', 'GTD'), false)`);
}

/** How long the owner has to send the transactions of an order for the own wallet. */
export const SEND_WITHIN_MS = 20 * 60_000;

/** The order as the vault hashes it. */
export function vaultOrderOf(order: Pick<TradeOrder, TradeField | 'id' | 'accountId'>): VaultOrder {
  return {
    account: order.accountId as Address,
    receiver: order.receiverAddress as Address,
    marketKey: marketKeyOf(order.ticker),
    outcome: OUTCOME_INDEX[order.side],
    isBuy: order.tradeAction === 'buy',
    quantity: order.contractMicros,
    quoteLimit: order.quoteLimitUsdcMicros,
    expiry: BigInt(Math.floor(order.expiresAt.getTime() / 1000)),
    clientRef: order.clientRef as Hex,
    salt: saltOf(order.id),
  };
}

/** The id of an order from its 128 bits, as references and salts carry it. */
export function uuidOf(bits: bigint): string {
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The order id that a reference encodes, if it can be ours. */
export function orderIdOfWithdrawalRef(reference: Hex): string | undefined {
  return /^0x0{32}[0-9a-f]{32}$/i.test(reference) ? uuidOf(BigInt(reference)) : undefined;
}

/** Replaces the API key and request hash of an order that was recovered from the chain. */
export const RECOVERED = 'recovered';

const COLUMNS = Object.entries(getTableColumns(orders));

/** For hand-written SQL; never `*`: a newer release may add columns. */
export function orderColumns(table: 'o' | 'orders' | 'applied' | 'stored'): SQL {
  return sql.raw(COLUMNS.map(([, { name }]) => `${table}."${name}"`).join(', '));
}

/** Maps a row of hand-written SQL to the type that the query builder returns. */
export function readOrderRow(row: Record<string, unknown>): OrderRow {
  return Object.fromEntries(
    COLUMNS.map(([key, column]) => {
      const value = row[column.name];
      return [key, value === null ? null : column.mapFromDriverValue(value)];
    }),
  ) as OrderRow;
}
