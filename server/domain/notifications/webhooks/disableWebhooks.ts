import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';
import { findDeadApiKeys } from '../../auth/manageApiKeys.ts';
import { giveUpPending } from '../outbox.ts';

/** Stops sending to a webhook, and gives up what was waiting for it; it can be replayed. */
export async function disableWebhook(
  tx: Queryable,
  webhookId: string,
  reason: 'failing' | 'gone' | 'key_revoked',
): Promise<void> {
  await tx
    .update(webhooks)
    .set({ enabled: false, disabledReason: reason, updatedAt: sql`now()` })
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.enabled, true)));
  await giveUpPending(tx, webhookId);
}

/** Disables the webhooks of keys that have expired or been revoked. */
export async function disableWebhooksOfDeadKeys(database: Database): Promise<void> {
  const rows = await database.orm
    .selectDistinct({ apiKeyId: webhooks.apiKeyId })
    .from(webhooks)
    .where(and(eq(webhooks.enabled, true), isNotNull(webhooks.apiKeyId)));
  const ids = rows.flatMap(({ apiKeyId }) => apiKeyId ?? []);
  for (const dead of await findDeadApiKeys({ database }, ids)) {
    await database.orm.transaction(async (tx) => {
      const found = await tx
        .select({ id: webhooks.id })
        .from(webhooks)
        .where(and(eq(webhooks.apiKeyId, dead), eq(webhooks.enabled, true)));
      for (const { id } of found) await disableWebhook(tx, id, 'key_revoked');
    });
  }
}
