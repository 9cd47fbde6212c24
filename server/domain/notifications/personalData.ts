import { eq } from 'drizzle-orm';
import type { PriceAlert } from '#lib/api/schemas/priceAlert.ts';
import type { PushSubscriptionResponse } from '#lib/api/schemas/push.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import {
  priceAlerts,
  pushSubscriptions,
  webhooks,
} from '#server/platform/database/schema/notifications.ts';
import { deleteDeliveriesTo } from './outbox.ts';
import { describePriceAlert } from './priceAlerts/priceAlerts.ts';
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

/** A wallet's price alerts. */
export async function exportPriceAlerts(db: Queryable, owner: string): Promise<PriceAlert[]> {
  const rows = await db.select().from(priceAlerts).where(eq(priceAlerts.ownerAddress, owner));
  return rows.map(describePriceAlert);
}

export async function erasePriceAlerts(db: Queryable, owner: string): Promise<void> {
  await db.delete(priceAlerts).where(eq(priceAlerts.ownerAddress, owner));
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
