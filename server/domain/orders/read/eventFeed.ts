import { asc, count, desc, eq, gt, inArray, type SQL } from 'drizzle-orm';
import type { OrderEvent, OrderRecord } from '#lib/api/schemas/order.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orderEvents, orders } from '#server/platform/database/schema/orders.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { maySeeOrder, type Viewer } from './readOrders.ts';
import { eventOf, recordOf } from './serializeOrder.ts';

/** An entry of the orders' log with the order's current state. */
export type FeedItem = Pick<
  OrderRow,
  'apiKeyId' | 'ownerAddress' | 'ticker' | 'side' | 'isRedemption'
> & {
  sequence: bigint;
  /** The order belongs only to its key, not to the owner it names. */
  isUnclaimed: boolean;
  event: OrderEvent;
  order: OrderRecord;
};

type FeedDeps = { database: { orm: Queryable } };

/** Entries of the orders' log after a sequence number, oldest first. */
export async function readFeed(deps: FeedDeps, after: bigint, limit: number): Promise<FeedItem[]> {
  return await readWhere(deps, gt(orderEvents.sequence, after), limit);
}

/** Sequence numbers after one, oldest first; cheaper to read than the entries. */
export async function listSequences(
  deps: FeedDeps,
  after: bigint,
  limit: number,
): Promise<bigint[]> {
  const rows = await deps.database.orm
    .select({ sequence: orderEvents.sequence })
    .from(orderEvents)
    .where(gt(orderEvents.sequence, after))
    .orderBy(asc(orderEvents.sequence))
    .limit(limit);
  return rows.map((row) => row.sequence);
}

export async function readFeedItems(
  deps: FeedDeps,
  sequences: readonly bigint[],
): Promise<FeedItem[]> {
  if (sequences.length === 0) return [];
  return await readWhere(deps, inArray(orderEvents.sequence, [...sequences]), sequences.length);
}

async function readWhere(deps: FeedDeps, which: SQL, limit: number): Promise<FeedItem[]> {
  const rows = await deps.database.orm
    .select({ event: orderEvents, order: orders, isUnclaimed: isUnclaimed() })
    .from(orderEvents)
    .innerJoin(orders, eq(orders.id, orderEvents.orderId))
    .where(which)
    .orderBy(asc(orderEvents.sequence))
    .limit(limit);
  return rows.map(({ event, order, isUnclaimed }) => {
    const { apiKeyId, ownerAddress, ticker, side, isRedemption } = order;
    const { sequence } = event;
    const item = { sequence, apiKeyId, ownerAddress, ticker, side, isRedemption, isUnclaimed };
    return { ...item, event: eventOf(event), order: recordOf(order) };
  });
}

/** The newest sequence number; 0 before the first entry. */
export async function latestSequence(deps: FeedDeps): Promise<bigint> {
  const [row] = await deps.database.orm
    .select({ sequence: orderEvents.sequence })
    .from(orderEvents)
    .orderBy(desc(orderEvents.sequence))
    .limit(1);
  return row?.sequence ?? 0n;
}

/** The same rule as for reading orders: the key that created it, or its signed-in owner. */
export function maySee(viewer: Viewer, item: FeedItem): boolean {
  return maySeeOrder(viewer, { row: item, isUnclaimed: item.isUnclaimed });
}

/** How many ended orders reopened because a reorganisation removed their logs. */
export async function countReopened(db: Queryable): Promise<number> {
  const [row] = await db
    .select({ times: count() })
    .from(orderEvents)
    .where(eq(orderEvents.type, 'reopened'));
  return row?.times ?? 0;
}
