import { createHash } from 'node:crypto';
import { and, eq, or, sql } from 'drizzle-orm';
import { clientRefOf } from '#server/chain/vaultOrder.ts';
import type { Database } from '#server/platform/database/client.ts';
import { isDatabaseOutage } from '#server/platform/database/outage.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { isServiceError, ServiceError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { currentTraceparent } from '#server/platform/tracing/spans.ts';
import { requireNotSuspended } from '../../admin/suspensions.ts';
import { isLimited, requireWithinLimits } from '../../limits/enforce.ts';
import { notifyDue } from '../lifecycle/dueOrders.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { RECOVERED } from '../lifecycle/orderRow.ts';
import { appendEvents } from '../lifecycle/transition.ts';
import { type NewOrderRow, storeUnhindered } from './insertOrder.ts';

type StoreDeps = { database: Database; log: Log };

/**
 * Stores an order with its first event and notifies the processors atomically. The same client id
 * and request of the same key return the existing order.
 * @throws {ServiceError} client_id_conflict, market_suspended, trading_paused,
 *   trading_limit_reached
 */
export async function storeOrder(deps: StoreDeps, order: NewOrderRow): Promise<OrderRow> {
  const arrival = { ...order, traceparent: currentTraceparent() };
  const unhindered = await storeUnhindered(deps.database, arrival);
  const stored = unhindered ?? (await storeHindered(deps, order));
  if (!stored) return await findReplay(deps.database, order);
  // The only log line that links a request's id to the order's.
  deps.log.info({ orderId: stored.id, kind: stored.kind }, 'order accepted');
  return stored;
}

/**
 * Stores an order whose id the request may determine, because a signature names it: another API key
 * or client id of the same owner cannot submit it again.
 * @throws {ServiceError} what `storeOrder` throws
 */
export async function storeOnce(deps: StoreDeps, order: NewOrderRow): Promise<OrderRow> {
  try {
    return await storeOrder(deps, order);
  } catch (error) {
    if (isServiceError(error) || isDatabaseOutage(error)) throw error;
    if (!(await isTaken(deps.database, order.id))) throw error;
    throw new ServiceError(
      'client_id_conflict',
      'What was signed was already submitted with another API key or client ID. Nothing was created.',
      {
        cause: error,
        errors: [{ pointer: '/clientId', detail: 'was already used for this signature' }],
      },
    );
  }
}

/** Throws when the market accepts no orders, otherwise stores one order within the limits. */
async function storeHindered(deps: StoreDeps, order: NewOrderRow): Promise<OrderRow | undefined> {
  const { kind, isRedemption, ticker } = order;
  if (await findByClientId(deps.database, clientIdOf(order))) return undefined;
  if (kind !== 'withdrawal' && !isRedemption) await requireNotSuspended(deps, ticker ?? '');
  return await storeNew(deps, order);
}

/** Rolls the transaction back because the client id exists. */
class ClientIdTaken extends Error {}

/**
 * Stores the row unless its client id exists. The statements travel together: none depends on the
 * result of another.
 */
async function storeNew(
  deps: { database: Database },
  order: NewOrderRow,
): Promise<OrderRow | undefined> {
  const store = deps.database.orm.transaction(async (tx) => {
    const inserted = tx
      .insert(orders)
      .values({
        ...order,
        status: 'pending',
        createdAt: sql`now()`,
        updatedAt: sql`now()`,
        nextRunAt: sql`now()`,
        traceparent: currentTraceparent(),
      })
      .onConflictDoNothing({
        target: [orders.apiKeyId, orders.clientId, orders.ownerAddress, orders.anonymous],
      })
      .returning();
    const { id, accountId, ticker = null, tradeAction = null } = order;
    const { quoteLimitUsdcMicros = null, withoutToken = false } = order;
    const limited = { ...order, ticker, tradeAction, quoteLimitUsdcMicros, withoutToken };
    const [[row], hasLimits] = await Promise.all([
      inserted,
      isLimited(tx, limited),
      appendEvents(tx, { id, accountId, status: 'pending' }, [{ type: 'created' }]),
      notifyDue(tx),
    ]);
    if (!row) throw new ClientIdTaken();
    // Checked after the insert: a repeated request gets its first response regardless of limits.
    if (hasLimits) await requireWithinLimits(tx, row);
    return row;
  });
  return await store.catch((error: unknown) => {
    if (error instanceof ClientIdTaken) return undefined;
    throw error;
  });
}

/** A client id with its scope: the same id means the same order only within it. */
type OwnClientId = {
  apiKeyId: string;
  clientId: string;
  owner: string;
  /** The request carried neither a token nor a secret key. */
  anonymous: boolean;
};

function clientIdOf(order: NewOrderRow): OwnClientId {
  const { apiKeyId, clientId, ownerAddress, anonymous = false } = order;
  return { apiKeyId, clientId, owner: ownerAddress, anonymous };
}

export async function findByClientId(
  database: Database,
  own: OwnClientId,
): Promise<OrderRow | undefined> {
  const rows = await listByClientId(database, own);
  const found = rows.find((row) => row.apiKeyId === own.apiKeyId);
  if (found || rows.length === 0) return found;
  return await adoptRecovered(database, own);
}

/** A client id that an order with another request has already. Stores nothing. */
export async function findClientIdProblems(
  database: Database,
  own: OwnClientId,
  requestHash: string,
): Promise<ServiceError[]> {
  const rows = await listByClientId(database, own);
  const found = rows.find((row) => row.apiKeyId === own.apiKeyId);
  return found && !isSameRequest(found, requestHash) ? [clientIdConflict(found)] : [];
}

/** Orders under a client id, and those that were recovered from the chain with its tag. */
async function listByClientId(database: Database, own: OwnClientId): Promise<OrderRow[]> {
  return await database.orm
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.ownerAddress, own.owner),
        or(
          and(
            eq(orders.apiKeyId, own.apiKeyId),
            eq(orders.clientId, own.clientId),
            eq(orders.anonymous, own.anonymous),
          ),
          own.anonymous ? undefined : isRecovered(own),
        ),
      ),
    );
}

/** The chain stores one tag of key and client id; the account identifies the owner. */
function isRecovered({ apiKeyId, clientId }: OwnClientId) {
  return and(eq(orders.apiKeyId, RECOVERED), eq(orders.clientRef, clientRefOf(apiKeyId, clientId)));
}

/** Whether any key has an order with this id. */
export async function isTaken(database: Database, id: string): Promise<boolean> {
  const rows = await database.orm.select({ id: orders.id }).from(orders).where(eq(orders.id, id));
  return rows.length > 0;
}

/**
 * After a restore, a lost order is recreated from the chain, which stores a tag of key and client
 * id. A repeated request with these returns that order instead of a second one.
 */
async function adoptRecovered(database: Database, own: OwnClientId): Promise<OrderRow | undefined> {
  const { apiKeyId, clientId, owner } = own;
  const [row] = await database.orm
    .update(orders)
    .set({ apiKeyId, clientId })
    .where(and(eq(orders.ownerAddress, owner), isRecovered(own)))
    .returning();
  return row;
}

/** Assigns an order created without a token to its owner, who has repeated the request with one. */
export async function claimForOwner(database: Database, row: OrderRow): Promise<OrderRow> {
  if (!row.withoutToken) return row;
  const [claimed] = await database.orm
    .update(orders)
    .set({ withoutToken: false, updatedAt: sql`now()` })
    .where(eq(orders.id, row.id))
    .returning();
  return claimed ?? row;
}

/** @throws {ServiceError} client_id_conflict when the stored request differs */
export function requireSameRequest(row: OrderRow, requestHash: string): OrderRow {
  if (isSameRequest(row, requestHash)) return row;
  throw clientIdConflict(row);
}

/** A recovered order has lost its request; its key and client id identify it. */
function isSameRequest(row: OrderRow, requestHash: string): boolean {
  return row.requestHash === requestHash || row.requestHash === RECOVERED;
}

function clientIdConflict(row: OrderRow): ServiceError {
  return new ServiceError(
    'client_id_conflict',
    `The client ID "${row.clientId}" was already used for another request. ` +
      'Nothing was created; use a new client ID.',
    { errors: [{ pointer: '/clientId', detail: 'was already used for another request' }] },
  );
}

async function findReplay(database: Database, order: NewOrderRow): Promise<OrderRow> {
  const row = await findByClientId(database, clientIdOf(order));
  if (!row) throw new Error('an order conflicts with one that cannot be found');
  return requireSameRequest(row, order.requestHash);
}

/** A hash of the request, independent of field order. */
export function hashRequest(request: Record<string, unknown>): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
    return `{${entries.join(',')}}`;
  }
  return typeof value === 'bigint' ? `"${value}"` : (JSON.stringify(value) ?? 'null');
}
