import { randomBytes } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { pushDeliveries, pushSubscriptions } from '#server/platform/database/schema/push.ts';
import type { SubscriptionRow } from './subscriptions.ts';
import type { PushNotification } from './texts.ts';

/** After so long nobody needs to be woken up for it any more. */
export const NOTIFY_FOR_HOURS = 24;

/**
 * Stores a notification for each of these browsers, due now. A browser for which the same source
 * has made one before gets none.
 * @returns how many were stored
 */
export async function storeNotification(
  db: Queryable,
  input: { source: string; notification: PushNotification; subscriptionIds: readonly string[] },
): Promise<number> {
  const { source, notification, subscriptionIds } = input;
  if (subscriptionIds.length === 0) return 0;
  const stored = await db
    .insert(pushDeliveries)
    .values(
      subscriptionIds.map((subscriptionId) => ({
        id: `pd_${randomBytes(12).toString('base64url')}`,
        subscriptionId,
        source,
        tag: notification.tag,
        payload: JSON.stringify(notification),
        status: 'pending' as const,
        nextAttemptAt: sql`now()`,
        expiresAt: sql`now() + ${NOTIFY_FOR_HOURS} * interval '1 hour'`,
      })),
    )
    .onConflictDoNothing({ target: [pushDeliveries.subscriptionId, pushDeliveries.source] })
    .returning({ id: pushDeliveries.id });
  return stored.length;
}

/** The browsers of these owners. */
export async function subscriptionsOf(
  db: Queryable,
  owners: readonly string[],
): Promise<SubscriptionRow[]> {
  if (owners.length === 0) return [];
  return await db
    .select()
    .from(pushSubscriptions)
    .where(inArray(pushSubscriptions.ownerAddress, [...new Set(owners)]));
}

/** Whether anybody at all is notified. */
export async function anySubscription(db: Queryable): Promise<boolean> {
  const found = await db.select({ id: pushSubscriptions.id }).from(pushSubscriptions).limit(1);
  return found.length > 0;
}
