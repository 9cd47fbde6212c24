import { eq } from 'drizzle-orm';
import type { PushSubscriptionResponse } from '#lib/api/schemas/push.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { pushSubscriptions, webhooks } from '#server/platform/database/schema/notifications.ts';
import { deleteDeliveriesTo } from './outbox.ts';
import { describeSubscription } from './push/subscriptions.ts';

/** A wallet's webhooks, without their secrets. */
export async function exportWebhooks(db: Queryable, owner: string) {
  const rows = await db.select().from(webhooks).where(eq(webhooks.ownerAddress, owner));
  return rows.map(({ secret: _secret, previousSecret: _previous, ...webhook }) => webhook);
}

/** A wallet's notified browsers, without their addresses. */
export async function exportPush(
  db: Queryable,
  owner: string,
): Promise<PushSubscriptionResponse[]> {
  const rows = await db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.ownerAddress, owner));
  return rows.map(describeSubscription);
}

/** Deletes a wallet's webhooks with their deliveries. */
export async function eraseWebhooks(db: Queryable, owner: string): Promise<void> {
  const deleted = await db
    .delete(webhooks)
    .where(eq(webhooks.ownerAddress, owner))
    .returning({ id: webhooks.id });
  await deleteDeliveriesTo(
    db,
    deleted.map(({ id }) => id),
  );
}
