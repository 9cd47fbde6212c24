import { and, asc, eq, gt, gte, inArray, lt, or } from 'drizzle-orm';
import type { OrderEvent, OrderListQuery, OrderRecord } from '#lib/api/schemas/order.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orderEvents, orders } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { isOfWallet, kindFilter, type Viewer, visibleTo } from './readOrders.ts';
import { eventOf, recordOf } from './serializeOrder.ts';

export type ExportFilter = {
  viewer: Viewer;
  type: OrderListQuery['type'];
  status?: OrderRecord['status'] | undefined;
  userAddress?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** An order with its trade and, if requested, its events, oldest first. */
export type ExportedOrder = {
  record: OrderRecord;
  ticker: string | null;
  side: 'yes' | 'no' | null;
  direction: 'BUY' | 'SELL' | 'WITHDRAW';
  events: OrderEvent[];
};

const PAGE = 500;
const NO_EVENTS: ReadonlyMap<string, OrderEvent[]> = new Map();

/** Yields every matching order that the viewer may see, oldest first, page by page. */
export async function* exportOrders(
  deps: { database: Database },
  filter: ExportFilter & { withEvents: boolean },
): AsyncGenerator<ExportedOrder[], void, void> {
  let last: OrderRow | undefined;
  do {
    const rows: OrderRow[] = await readPage(deps.database, filter, last);
    const events = filter.withEvents ? await readEvents(deps.database, rows) : NO_EVENTS;
    last = rows.length === PAGE ? rows.at(-1) : undefined;
    yield rows.map((row) => ({
      record: recordOf(row),
      ticker: row.ticker,
      side: row.side,
      direction: row.tradeAction === null ? 'WITHDRAW' : row.tradeAction === 'buy' ? 'BUY' : 'SELL',
      events: events.get(row.id) ?? [],
    }));
  } while (last);
}

async function readPage(
  database: Database,
  filter: ExportFilter,
  after: OrderRow | undefined,
): Promise<OrderRow[]> {
  return await database.orm
    .select()
    .from(orders)
    .where(
      and(
        visibleTo(filter.viewer),
        kindFilter(filter.type),
        filter.userAddress ? isOfWallet(filter.userAddress) : undefined,
        filter.status ? eq(orders.status, filter.status) : undefined,
        filter.from ? gte(orders.createdAt, new Date(filter.from)) : undefined,
        filter.to ? lt(orders.createdAt, new Date(filter.to)) : undefined,
        after
          ? or(
              gt(orders.createdAt, after.createdAt),
              and(eq(orders.createdAt, after.createdAt), gt(orders.id, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(PAGE);
}

async function readEvents(
  database: Database,
  rows: readonly OrderRow[],
): Promise<Map<string, OrderEvent[]>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const found = await database.orm
    .select()
    .from(orderEvents)
    .where(inArray(orderEvents.orderId, ids))
    .orderBy(asc(orderEvents.sequence));
  const byOrder = Map.groupBy(found, (event) => event.orderId);
  return new Map([...byOrder].map(([id, events]) => [id, events.map(eventOf)]));
}
