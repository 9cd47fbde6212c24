import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import type { Channel } from '#server/platform/database/schema/notifications.ts';
import { deleteDeliveriesTo } from './outbox.ts';

/**
 * How long messages are kept: those to webhooks can be looked up and replayed; those to browsers
 * keep their source from making them again.
 */
const KEEP_DAYS: Record<Channel, number> = { webhook: 30, push: 7 };
const ROWS_AT_ONCE = 5_000;

/** Gives up deliveries that have expired, and deletes those that are old or have no target. */
export async function deleteOldNotifications(database: Database): Promise<void> {
  await database.orm.execute(sql`
    update notification_deliveries set status = 'failed', next_attempt_at = null
    where status = 'pending' and expires_at <= now()`);
  await deleteOldMessages(database, 'webhook');
  await deleteOldMessages(database, 'push');
  await deleteWithoutBrowser(database);
}

async function deleteOldMessages({ orm }: Database, channel: Channel): Promise<void> {
  await orm.execute(sql`
    with old as (
      delete from notification_messages where id in (
        select id from notification_messages
        where channel = ${channel} and created_at < now() - ${KEEP_DAYS[channel]} * interval '1 day'
        limit ${ROWS_AT_ONCE})
      returning id
    ), gone as (
      delete from notification_deliveries where message_id in (select id from old) returning id
    )
    delete from notification_attempts where delivery_id in (select id from gone)`);
}

/** The notifier removes browsers that are gone, and may delete nothing else. */
async function deleteWithoutBrowser({ orm }: Database): Promise<void> {
  await orm.transaction(async (tx) => {
    const { rows } = await tx.execute<{ targetId: string }>(sql`
      select distinct target_id as "targetId" from notification_deliveries
      where channel = 'push'
        and not exists (select 1 from push_subscriptions where id = target_id)
      limit ${ROWS_AT_ONCE}`);
    await deleteDeliveriesTo(
      tx,
      rows.map(({ targetId }) => targetId),
    );
  });
}
