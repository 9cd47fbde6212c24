import { and, desc, eq, inArray, lt, lte, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { getAddress } from 'viem';
import type {
  OrderEvent,
  OrderList,
  OrderListQuery,
  OrderRecordWithEvents,
} from '#lib/api/schemas/order.ts';
import { batched } from '#server/platform/database/batched.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { descending } from '#server/platform/database/descending.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { eventOf, recordOf } from './serializeOrder.ts';

/**
 * The caller. A secret key sees the orders it created; a signed-in wallet sees its own. The
 * publishable key belongs to every visitor, so it alone shows nothing.
 */
export type Viewer = {
  apiKeyId: string;
  apiKeyKind: 'secret' | 'publishable';
  owner?: string | undefined;
};

type ReadDeps = { database: Database };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws {ServiceError} order_not_found, for foreign orders too */
export async function getOrder(
  deps: ReadDeps,
  input: { viewer: Viewer; id: string },
): Promise<OrderRecordWithEvents> {
  const found = UUID.test(input.id)
    ? await orderReader(deps.database)(input.id.toLowerCase())
    : undefined;
  if (!found || !maySeeOrder(input.viewer, found)) throw notFound();
  return { ...recordOf(found.row), events: found.events };
}

type OrderWithEvents = { row: OrderRow; isUnclaimed: boolean; events: OrderEvent[] };

/** Reads orders with their logs by id; concurrent reads share a statement. */
const orderReader = memoizeByObject(({ orm }: Database) =>
  batched<string, OrderWithEvents>(async (ids) => {
    const rows = await orm
      .select({ row: orders, isUnclaimed: isUnclaimed(), events: eventsOfOrder })
      .from(orders)
      .where(inArray(orders.id, ids));
    return new Map(
      rows.map(({ events, ...one }) => [one.row.id, { ...one, events: events.map(entryOf) }]),
    );
  }),
);

type Entry = {
  type: string;
  at: string;
  detail: string | null;
  transactionHash: string | null;
  contracts: string | null;
  quote: string | null;
  fee: string | null;
};

const eventsOfOrder = sql<Entry[]>`(
  select coalesce(json_agg(json_build_object('type', e.type, 'at', e.at, 'detail', e.detail,
    'transactionHash', e.transaction_hash, 'contracts', e.contract_micros::text,
    'quote', e.quote_usdc_micros::text, 'fee', e.fee_usdc_micros::text) order by e.sequence), '[]'::json)
  from order_events e where e.order_id = "orders"."id")`;

function entryOf({ at, contracts, quote, fee, ...entry }: Entry): OrderEvent {
  const micros = (text: string | null) => (text === null ? null : BigInt(text));
  return eventOf({
    ...entry,
    at: new Date(at),
    contractMicros: micros(contracts),
    quoteUsdcMicros: micros(quote),
    feeUsdcMicros: micros(fee),
  });
}

/** The rule of `visibleTo` for a loaded row. */
export function maySeeOrder(
  viewer: Viewer,
  order: { row: Pick<OrderRow, 'apiKeyId' | 'ownerAddress'>; isUnclaimed: boolean },
): boolean {
  const { apiKeyId, ownerAddress } = order.row;
  const isOfKey = viewer.apiKeyKind === 'secret' && viewer.apiKeyId === apiKeyId;
  return isOfKey || (viewer.owner === ownerAddress && !order.isUnclaimed);
}

/**
 * Finds an order by its client id, which is scoped to its key and owner. If several owners used the
 * same id, the signed-in wallet's own order comes first, then the newest order that the viewer may
 * see.
 */
export async function getOrderByClientId(
  deps: ReadDeps,
  input: { viewer: Viewer; clientId: string; userAddress?: string | undefined },
): Promise<OrderRecordWithEvents> {
  const { viewer, clientId, userAddress } = input;
  const ownFirst = viewer.owner ? [sql`${eq(orders.ownerAddress, viewer.owner)} desc`] : [];
  const [found] = await deps.database.orm
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.apiKeyId, viewer.apiKeyId),
        eq(orders.clientId, clientId),
        userAddress === undefined ? undefined : isNamed(userAddress),
        visibleTo(viewer),
      ),
    )
    .orderBy(...ownFirst, desc(orders.createdAt), desc(orders.id))
    .limit(1);
  if (!found) throw notFound();
  return await getOrder(deps, { viewer, id: found.id });
}

export async function listOrders(
  deps: ReadDeps,
  input: { viewer: Viewer } & OrderListQuery,
): Promise<OrderList> {
  const wallet = input.userAddress;
  const after = input.cursor ? readCursor(input.cursor) : undefined;
  const limit = input.limit + 1;
  const read = (whose: SQL | undefined) =>
    deps.database.orm
      .select()
      .from(orders)
      .where(
        and(
          whose,
          wallet ? isOfWallet(wallet) : undefined,
          input.status ? eq(orders.status, input.status) : undefined,
          kindFilter(input.type),
          after
            ? and(
                lte(orders.createdAt, after.createdAt),
                or(
                  lt(orders.createdAt, after.createdAt),
                  and(eq(orders.createdAt, after.createdAt), lt(orders.id, after.id)),
                ),
              )
            : undefined,
        ),
      )
      .orderBy(descending(orders.createdAt), descending(orders.id))
      .limit(limit);
  // Each condition alone has an index in this order; both combined have none.
  const ways = wallet ? [visibleTo(input.viewer)] : waysToSee(input.viewer);
  const rows = newestOf(await Promise.all(ways.map(read)), limit);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    orders: page.map(recordOf),
    cursor: rows.length > input.limit && last ? writeCursor(last) : '',
  };
}

/** Merges lists that are newest first, without duplicates. */
function newestOf(lists: OrderRow[][], limit: number): OrderRow[] {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  const byId = new Map(lists.flat().map((row) => [row.id, row]));
  return [...byId.values()]
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** Returns the row if the viewer may see it. @throws {ServiceError} order_not_found */
export async function requireVisible(
  deps: ReadDeps,
  viewer: Viewer,
  id: string,
): Promise<OrderRow> {
  if (!UUID.test(id)) throw notFound();
  const [row] = await deps.database.orm
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), visibleTo(viewer)))
    .limit(1);
  if (!row) throw notFound();
  return row;
}

/** When an account created its nth newest order before a given time, if it has that many. */
export async function findNthOrderBefore(
  db: Queryable,
  query: { accountId: string; before: Date | undefined; n: number },
): Promise<Date | undefined> {
  const [row] = await db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, query.accountId),
        not(isUnclaimed()),
        query.before ? lt(orders.createdAt, query.before) : undefined,
      ),
    )
    .orderBy(descending(orders.createdAt), descending(orders.id))
    .offset(query.n - 1)
    .limit(1);
  return row?.createdAt;
}

/** Matches an owner or a smart account; excludes unclaimed orders. */
export function isOfWallet(address: string): SQL | undefined {
  return and(isNamed(address), not(isUnclaimed()));
}

/** Matches orders that name this address as owner or account. */
function isNamed(address: string): SQL | undefined {
  const wallet = getAddress(address.toLowerCase());
  return or(eq(orders.ownerAddress, wallet), eq(orders.accountId, wallet));
}

export function visibleTo(viewer: Viewer) {
  return or(...waysToSee(viewer)) ?? sql`false`;
}

/** By the key that created it, by the wallet that owns it, or both. */
function waysToSee(viewer: Viewer): SQL[] {
  const ofKey = viewer.apiKeyKind === 'secret' ? [eq(orders.apiKeyId, viewer.apiKeyId)] : [];
  const ofOwner = viewer.owner
    ? and(eq(orders.ownerAddress, viewer.owner), not(isUnclaimed()))
    : undefined;
  return ofOwner ? [...ofKey, ofOwner] : ofKey;
}

export function kindFilter(type: OrderListQuery['type']) {
  if (type === 'all') return undefined;
  return type === 'withdrawal' ? eq(orders.kind, 'withdrawal') : ne(orders.kind, 'withdrawal');
}

function notFound(): ServiceError {
  return new ServiceError('order_not_found', 'You have no order with this ID.');
}

function writeCursor(row: OrderRow): string {
  return Buffer.from(`${row.createdAt.getTime()}.${row.id}`).toString('base64url');
}

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('.');
  if (!/^\d{1,15}$/.test(time) || !UUID.test(id)) {
    throw new ServiceError('invalid_request', 'The cursor is not valid.', {
      errors: [{ pointer: '/query/cursor', detail: 'must come from an earlier response' }],
    });
  }
  return { createdAt: new Date(Number(time)), id };
}
