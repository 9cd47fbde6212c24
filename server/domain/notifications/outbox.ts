import { randomBytes } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import {
  type Channel,
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
} from '#server/platform/database/schema/notifications.ts';

/** Processors store messages here; `server/notifier` sends them. */

export type NewMessage = {
  /** The cause of the message: one source makes one message per channel. */
  source: string;
  type: string;
  /** First attempts for one target and topic happen one after the other, oldest first. */
  topic: string;
  payload: object;
  targetIds: readonly string[];
};

export type DeliveryRow = typeof notificationDeliveries.$inferSelect;

const DELIVERY_PREFIX: Record<Channel, string> = { webhook: 'dlv', push: 'pd' };
/** Older messages are not sent to browsers. */
export const PUSH_EXPIRES_AFTER_HOURS = 24;
const EXPIRES_AFTER_HOURS: Record<Channel, number | null> = {
  webhook: null,
  push: PUSH_EXPIRES_AFTER_HOURS,
};

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('base64url')}`;
const texts = (values: string[]): SQL => sql`${sql.param(values)}::text[]`;

/** Takes a lock until the end of the transaction; false while another process has it. */
export async function tryLock(tx: Queryable, name: string): Promise<boolean> {
  const { rows } = await tx.execute<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`,
  );
  return rows[0]?.held === true;
}

/**
 * Stores messages and their deliveries, due now, in one statement. Skips sources that have a
 * message already, and messages without targets.
 * @returns how many deliveries were stored
 */
export async function storeMessages(
  db: Queryable,
  channel: Channel,
  messages: readonly NewMessage[],
): Promise<number> {
  const rows = messages
    .filter(({ targetIds }) => targetIds.length > 0)
    .map((message) => ({ ...message, id: newId('msg'), payload: JSON.stringify(message.payload) }));
  if (rows.length === 0) return 0;
  const deliveries = rows.flatMap(({ id, targetIds }) =>
    targetIds.map((targetId) => ({ id: newId(DELIVERY_PREFIX[channel]), targetId, messageId: id })),
  );
  const made = await db.execute(sql`
    with stored as (
      insert into notification_messages (id, channel, source, type, topic, payload)
      select id, ${channel}, source, type, topic, payload
      from unnest(${texts(rows.map(({ id }) => id))}, ${texts(rows.map(({ source }) => source))},
        ${texts(rows.map(({ type }) => type))}, ${texts(rows.map(({ topic }) => topic))},
        ${texts(rows.map(({ payload }) => payload))})
        as message (id, source, type, topic, payload)
      on conflict (channel, source) do nothing
      returning id, type, topic
    )
    insert into notification_deliveries
      (id, channel, target_id, message_id, type, topic, status, next_attempt_at, expires_at)
    select delivery.id, ${channel}, target_id, message_id, type, topic, 'pending', now(),
      now() + ${EXPIRES_AFTER_HOURS[channel]}::int * interval '1 hour'
    from unnest(${texts(deliveries.map(({ id }) => id))},
      ${texts(deliveries.map(({ targetId }) => targetId))},
      ${texts(deliveries.map(({ messageId }) => messageId))})
      with ordinality as delivery (id, target_id, message_id, place)
    join stored on stored.id = message_id
    order by place`);
  return made.rowCount ?? 0;
}

/** Gives up pending deliveries to a target; they stay in the log. */
export async function giveUpPending(db: Queryable, targetId: string): Promise<void> {
  await db
    .update(notificationDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, leaseToken: null, leaseUntil: null })
    .where(
      and(
        eq(notificationDeliveries.targetId, targetId),
        eq(notificationDeliveries.status, 'pending'),
      ),
    );
}

/** Deletes all deliveries to these targets, with messages that went to no other target. */
export async function deleteDeliveriesTo(
  db: Queryable,
  targetIds: readonly string[],
): Promise<void> {
  if (targetIds.length === 0) return;
  const gone = await db
    .delete(notificationDeliveries)
    .where(isOneOf(notificationDeliveries.targetId, targetIds))
    .returning({ id: notificationDeliveries.id, messageId: notificationDeliveries.messageId });
  const deliveryIds = gone.map(({ id }) => id);
  await db
    .delete(notificationAttempts)
    .where(isOneOf(notificationAttempts.deliveryId, deliveryIds));
  await db.delete(notificationMessages).where(
    and(
      isOneOf(
        notificationMessages.id,
        gone.map(({ messageId }) => messageId),
      ),
      sql`not exists (select 1 from notification_deliveries
        where message_id = ${notificationMessages.id})`,
    ),
  );
}

export type DeliveryLoad = { pending: number; overdueSeconds: number };

/** By channel: the pending deliveries, and the delay of the most overdue one. */
export async function readDeliveryLoad(db: Queryable): Promise<Record<Channel, DeliveryLoad>> {
  const { rows } = await db.execute<DeliveryLoad & { channel: Channel }>(sql`
    select channel, count(*)::int as pending,
      greatest(0, extract(epoch from now() - min(next_attempt_at)))::float8 as "overdueSeconds"
    from notification_deliveries
    where status = 'pending' and (expires_at is null or expires_at > now())
    group by channel`);
  const none = { pending: 0, overdueSeconds: 0 };
  const of = (channel: Channel) => rows.find((row) => row.channel === channel) ?? none;
  return { webhook: of('webhook'), push: of('push') };
}

/**
 * How long messages are kept: those to webhooks can be read and replayed; those to browsers prevent
 * a second message from the same source.
 */
export const NOTIFICATION_DAYS: Record<Channel, number> = { webhook: 30, push: 7 };
const ROWS_AT_ONCE = 5_000;

/** Gives up expired deliveries, and deletes those that are old or without a target. */
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
        where channel = ${channel} and created_at < now() - ${NOTIFICATION_DAYS[channel]} * interval '1 day'
        limit ${ROWS_AT_ONCE})
      returning id
    ), gone as (
      delete from notification_deliveries where message_id in (select id from old) returning id
    )
    delete from notification_attempts where delivery_id in (select id from gone)`);
}

/** The notification process removes browsers that are gone, but may not delete their deliveries. */
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
