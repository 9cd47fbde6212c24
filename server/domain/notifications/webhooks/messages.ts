import { randomBytes } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import type { WebhookEventType, WebhookPayload } from '#lib/api/schemas/webhook.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { webhookDeliveries, webhookMessages } from '#server/platform/database/schema/webhooks.ts';
import type { DeliveryRow, WebhookRow } from './describe.ts';

export type NewMessage = {
  /** What it is made from: the same source makes one message. */
  source: string;
  payload: WebhookPayload;
  webhookIds: readonly string[];
};

/**
 * Stores a message and its deliveries, due now. What was stored before for the same source stays
 * as it is, and nothing is answered for it.
 */
export async function storeMessage(db: Queryable, message: NewMessage): Promise<DeliveryRow[]> {
  const { type } = message.payload satisfies { type: WebhookEventType };
  const [stored] = await db
    .insert(webhookMessages)
    .values({
      id: `msg_${randomBytes(12).toString('base64url')}`,
      source: message.source,
      type,
      payload: JSON.stringify(message.payload),
    })
    .onConflictDoNothing({ target: webhookMessages.source })
    .returning({ id: webhookMessages.id });
  if (!stored || message.webhookIds.length === 0) return [];
  return await db
    .insert(webhookDeliveries)
    .values(
      message.webhookIds.map((webhookId) => ({
        id: `dlv_${randomBytes(12).toString('base64url')}`,
        webhookId,
        messageId: stored.id,
        type,
        status: 'pending' as const,
        nextAttemptAt: sql`now()`,
      })),
    )
    .returning();
}

/** Which of these sources have made a message already. */
export async function findPublished(
  db: Queryable,
  sources: readonly string[],
): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const rows = await db
    .select({ source: webhookMessages.source })
    .from(webhookMessages)
    .where(inArray(webhookMessages.source, [...sources]));
  return new Set(rows.map((row) => row.source));
}

/** Whether a webhook asked for this type, or for everything. */
export function wants(webhook: WebhookRow, type: WebhookEventType): boolean {
  return webhook.eventTypes.length === 0 || webhook.eventTypes.includes(type);
}
