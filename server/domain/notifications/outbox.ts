import { randomBytes } from 'node:crypto';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import {
  type Channel,
  notificationAttempts,
  notificationDeliveries,
  notificationMessages,
} from '#server/platform/database/schema/notifications.ts';

/** Processors store messages here; `server/notifier` sends them. */

export type NewMessage = {
  /** What the message is made from: one source makes one message of a channel. */
  source: string;
  type: string;
  /** First attempts of one target and topic are made one after the other, oldest first. */
  topic: string;
  payload: object;
  targetIds: readonly string[];
};

export type DeliveryRow = typeof notificationDeliveries.$inferSelect;

const DELIVERY_PREFIX: Record<Channel, string> = { webhook: 'dlv', push: 'pd' };
/** A message older than this wakes no browser. */
export const PUSH_EXPIRES_AFTER_HOURS = 24;
const EXPIRES_AFTER_HOURS: Record<Channel, number | null> = {
  webhook: null,
  push: PUSH_EXPIRES_AFTER_HOURS,
};

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('base64url')}`;
const texts = (values: string[]): SQL => sql`${sql.param(values)}::text[]`;

/**
 * Stores messages and their deliveries, due now, in one statement. A source that made a message
 * before makes none, and a message without targets is not stored.
 * @returns how many deliveries were made
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

/** Stops sending what waits for a target. It stays in the log. */
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
