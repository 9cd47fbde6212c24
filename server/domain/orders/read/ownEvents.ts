import { and, eq, gt, inArray, not } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import { asTradeOrder, type TradeOrder } from '../lifecycle/chainOrder.ts';
import type { OrderRow } from '../lifecycle/lease.ts';

/**
 * Of these ids of the vault, the orders that are ours and whose steps book their events. One that
 * was over before its funds were locked books nothing any more: to the books it is a stranger's.
 */
export async function findOwnOrders(
  db: Queryable,
  chainOrderIds: string[],
): Promise<Map<string, TradeOrder>> {
  if (chainOrderIds.length === 0) return new Map();
  const rows = await db.select().from(orders).where(inArray(orders.chainOrderId, chainOrderIds));
  const own = rows.filter((row) => !(row.isComplete && row.balanceValidatedAt === null));
  return new Map(own.map((row) => [row.chainOrderId ?? '', asTradeOrder(row)]));
}

/** Of these ids of intents, our withdrawals. */
export async function findOwnWithdrawals(
  db: Queryable,
  ids: string[],
): Promise<Map<string, OrderRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(orders)
    .where(and(inArray(orders.id, ids), eq(orders.kind, 'withdrawal')));
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Smart accounts that have intents; with `openOnly`, those that are not over. An address that
 * somebody has named in an order without a token is none of them.
 */
export async function listTradingAccounts(
  db: Queryable,
  query: { openOnly: boolean },
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ accountId: orders.accountId })
    .from(orders)
    .where(and(not(isUnclaimed()), query.openOnly ? eq(orders.isComplete, false) : undefined));
  return rows.map((row) => row.accountId);
}

/**
 * Accounts of our orders whose requests the vault has logged after a block: an order that was asked
 * for without a token may be over before anybody looks for open ones.
 */
export async function listRequesters(db: Queryable, afterBlock: bigint): Promise<string[]> {
  const rows = await db
    .selectDistinct({ accountId: orders.accountId })
    .from(vaultEvents)
    .innerJoin(orders, eq(orders.chainOrderId, vaultEvents.chainOrderId))
    .where(and(eq(vaultEvents.kind, 'requested'), gt(vaultEvents.blockNumber, afterBlock)));
  return rows.map((row) => row.accountId);
}

export async function findOrdersByIds(
  db: Queryable,
  ids: string[],
): Promise<Map<string, OrderRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(orders).where(inArray(orders.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}
