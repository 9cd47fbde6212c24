import { eq } from 'drizzle-orm';
import type { PushSubscriptionResponse } from '#lib/api/schemas/push.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { pushSubscriptions } from '#server/platform/database/schema/push.ts';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';
import { deleteDeliveriesTo } from './outbox.ts';
import { describeSubscription } from './push/subscriptions.ts';

/** A wallet's webhooks, without their secrets. */
export async function exportWebhooks(db: Queryable, owner: string) {
  const rows = await db.select().from(webhooks).where(eq(webhooks.ownerAddress, owner));
  return rows.map(({ secret: _secret, previousSecret: _previous, ...webhook }) => webhook);
}

/** The browsers in which a wallet is notified, without what would let others reach them. */
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

/** Deletes a wallet's webhooks, with what was sent to them. */
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
