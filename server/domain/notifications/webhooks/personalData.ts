import { eq, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from '#server/platform/database/schema/webhooks.ts';

/** A wallet's webhooks, without their secrets. */
export async function exportWebhooks(db: Queryable, owner: string) {
  const rows = await db.select().from(webhooks).where(eq(webhooks.ownerAddress, owner));
  return rows.map(({ secret: _secret, previousSecret: _previous, ...webhook }) => webhook);
}

/** Takes a wallet's webhooks away, with what was sent to them. */
export async function eraseWebhooks(db: Queryable, owner: string): Promise<void> {
  const own = db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.ownerAddress, owner));
  const deliveries = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(inArray(webhookDeliveries.webhookId, own));
  await db.delete(webhookAttempts).where(inArray(webhookAttempts.deliveryId, deliveries));
  await db.delete(webhookDeliveries).where(inArray(webhookDeliveries.webhookId, own));
  await db.delete(webhooks).where(eq(webhooks.ownerAddress, owner));
}
