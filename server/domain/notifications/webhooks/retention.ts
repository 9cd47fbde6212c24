import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { webhooks } from '#server/platform/database/schema/webhooks.ts';
import { findDeadApiKeys } from '../../auth/manageApiKeys.ts';
import { disableWebhook } from './deliver.ts';

/** How long what was sent can be looked up and replayed. */
const KEEP_DAYS = 30;
const ROWS_AT_ONCE = 5_000;

/** Webhooks of a key that is over hear nothing any more. */
export async function disableOfDeadKeys(database: Database): Promise<void> {
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

/** Removes messages that are old, with what was sent of them. */
export async function deleteOldMessages(database: Database): Promise<void> {
  await database.orm.execute(sql`
    with old as (
      delete from webhook_messages where id in (
        select id from webhook_messages
        where created_at < now() - ${KEEP_DAYS} * interval '1 day' limit ${ROWS_AT_ONCE})
      returning id
    ), gone as (
      delete from webhook_deliveries where message_id in (select id from old) returning id
    )
    delete from webhook_attempts where delivery_id in (select id from gone)`);
}
