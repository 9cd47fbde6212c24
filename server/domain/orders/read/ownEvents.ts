import { and, eq, gt, inArray, not } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { asTradeOrder, type TradeOrder } from '../lifecycle/orderRow.ts';

/**
 * The orders among these vault ids that are ours and whose steps post their events. An order that
 * ended before its funds were locked posts nothing, so the ledger treats it as foreign.
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
 * Smart accounts that have orders; with `openOnly`, open orders. Excludes addresses that were only
 * named in an order without a token.
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
 * Accounts of our orders whose requests the vault logged after a block: an order created without a
 * token may end before a check for open orders sees it.
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
