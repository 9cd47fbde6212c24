import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type {
  PushState,
  PushSubscriptionResponse,
  SubscribePushRequest,
} from '#lib/api/schemas/push.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { pushSubscriptions } from '#server/platform/database/schema/notifications.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { isPublicKey } from '#server/platform/keys/vapidKeys.ts';
import { deleteDeliveriesTo } from '../outbox.ts';
import { requireAllowedTarget, type TargetPolicy } from '../webhooks/target.ts';

/** The browsers that receive an owner's notifications. Those of others count as missing. */

export type PushDeps = { database: Database; config: Pick<Config, 'push'> };
export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;

/** Browsers of one owner. */
export const MAX_BROWSERS_PER_OWNER = 10;

/** The public key, if push is available, and the owner's browsers, newest first. */
export async function readPushState(deps: PushDeps, owner: string): Promise<PushState> {
  const { publicKey } = deps.config.push;
  if (publicKey === undefined) return { publicKey: null, subscriptions: [] };
  const rows = await deps.database.orm
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.ownerAddress, owner))
    .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id));
  return { publicKey, subscriptions: rows.map(describeSubscription) };
}

/**
 * Notifies a browser of events from now on. Idempotent. A browser of another owner moves to this
 * one, because another person uses it now.
 * @throws {ServiceError} push_not_served, invalid_request, target_not_allowed, limit_reached,
 * action_not_possible
 */
export async function subscribeBrowser(
  deps: PushDeps,
  input: { owner: string; request: SubscribePushRequest; policy: TargetPolicy },
): Promise<PushSubscriptionResponse> {
  if (deps.config.push.publicKey === undefined) {
    throw new ServiceError('push_not_served', 'Push notifications are not available.');
  }
  const keys = requireKeys(input.request.keys);
  const endpoint = await requireAllowedTarget(input.request.endpoint, input.policy, '/endpoint');
  const row = await deps.database.orm.transaction(async (tx) => {
    // Serialised, so that reading, counting and inserting are atomic.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('push subscribe', 0))`);
    const [known] = await tx
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.endpoint, endpoint));
    if (known?.ownerAddress === input.owner && isSame(known, keys)) return known;
    if (known) await giveUpFormer(tx, known, keys);
    await requireRoom(tx, input.owner);
    const [stored] = await tx
      .insert(pushSubscriptions)
      .values({
        id: `ps_${randomBytes(9).toString('base64url')}`,
        ownerAddress: input.owner,
        endpoint,
        ...keys,
      })
      .returning();
    return stored;
  });
  if (!row) throw new Error('the subscription was not stored');
  return describeSubscription(row);
}

type Keys = SubscribePushRequest['keys'];

function requireKeys({ p256dh, auth }: Keys): Keys {
  const keys = { p256dh: p256dh.replace('=', ''), auth: auth.replaceAll('=', '') };
  if (isPublicKey(keys.p256dh)) return keys;
  const detail = 'must be a public key of the curve P-256';
  throw new ServiceError('invalid_request', `keys.p256dh ${detail}.`, {
    errors: [{ pointer: '/keys/p256dh', detail }],
  });
}

const isSame = (known: Keys, keys: Keys) =>
  known.p256dh === keys.p256dh && known.auth === keys.auth;

/** A browser's keys never change, so a caller with other keys only knows its address. */
async function giveUpFormer(tx: Queryable, known: SubscriptionRow, keys: Keys): Promise<void> {
  if (!isSame(known, keys)) {
    throw new ServiceError(
      'action_not_possible',
      'This browser is already subscribed with other keys.',
    );
  }
  await removeSubscriptions(tx, [known.id]);
}

async function requireRoom(tx: Queryable, owner: string): Promise<void> {
  const browsers = await tx.$count(pushSubscriptions, eq(pushSubscriptions.ownerAddress, owner));
  if (browsers < MAX_BROWSERS_PER_OWNER) return;
  throw new ServiceError(
    'limit_reached',
    `You can notify up to ${MAX_BROWSERS_PER_OWNER} browsers. Remove one first.`,
  );
}

/** @throws {ServiceError} subscription_not_found */
export async function unsubscribeBrowser(
  deps: Pick<PushDeps, 'database'>,
  input: { owner: string; id: string },
): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const [own] = await tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(
        and(eq(pushSubscriptions.id, input.id), eq(pushSubscriptions.ownerAddress, input.owner)),
      );
    if (!own) {
      throw new ServiceError('subscription_not_found', 'You have no subscription with this ID.');
    }
    await removeSubscriptions(tx, [own.id]);
  });
}

/** Removes all browsers of an owner, as signing out everywhere does. */
export async function unsubscribeAll(db: Queryable, owner: string): Promise<void> {
  const own = await db
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.ownerAddress, owner));
  await removeSubscriptions(
    db,
    own.map(({ id }) => id),
  );
}

/** Removes subscriptions with their deliveries. */
async function removeSubscriptions(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, [...ids]));
  await deleteDeliveriesTo(db, ids);
}

export async function hasSubscriptions(db: Queryable): Promise<boolean> {
  const [found] = await db.select().from(pushSubscriptions).limit(1);
  return found !== undefined;
}

export async function listSubscriptions(
  db: Queryable,
  owners: readonly string[],
): Promise<SubscriptionRow[]> {
  if (owners.length === 0) return [];
  return await db
    .select()
    .from(pushSubscriptions)
    .where(isOneOf(pushSubscriptions.ownerAddress, [...new Set(owners)]));
}

/** The published form, without the browser's address and keys. */
export function describeSubscription(row: SubscriptionRow): PushSubscriptionResponse {
  return {
    id: row.id,
    service: new URL(row.endpoint).host,
    fingerprint: createHash('sha256').update(row.endpoint).digest('hex'),
    createdAt: row.createdAt.toISOString(),
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
  };
}
