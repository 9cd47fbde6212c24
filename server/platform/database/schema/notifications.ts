import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** How a message travels: to a webhook, or to a browser's push service. */
export type Channel = 'webhook' | 'push';

/** What is sent, byte for byte: every attempt sends the same payload under the same id. */
export const notificationMessages = pgTable(
  'notification_messages',
  {
    id: text('id').primaryKey(),
    channel: text('channel').$type<Channel>().notNull(),
    /** What the message was made from; one source makes one message of a channel. */
    source: text('source').notNull(),
    type: text('type').notNull(),
    /** The order or market that the message is about. */
    topic: text('topic').notNull(),
    payload: text('payload').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('notification_messages_source').on(table.channel, table.source),
    index('notification_messages_age').on(table.channel, table.createdAt),
  ],
);

/** A message on its way to one webhook or browser. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    id: text('id').primaryKey(),
    /** Deliveries of one target and topic are first attempted in this order. */
    sequence: bigint('sequence', { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    channel: text('channel').$type<Channel>().notNull(),
    /** A webhook or a push subscription. */
    targetId: text('target_id').notNull(),
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    topic: text('topic').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull(),
    /** All attempts, and those since the delivery was made or last replayed. */
    attemptCount: integer('attempt_count').notNull().default(0),
    roundCount: integer('round_count').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    /** From then on the message is too old to be sent; null for never. */
    expiresAt: at('expires_at'),
    /** The process that sends it now. Database time only. */
    leaseToken: uuid('lease_token'),
    leaseUntil: at('lease_until'),
    createdAt: at('created_at').notNull().defaultNow(),
    deliveredAt: at('delivered_at'),
  },
  (table) => [
    unique('notification_deliveries_once').on(table.targetId, table.messageId),
    index('notification_deliveries_due')
      .on(table.channel, table.nextAttemptAt)
      .where(sql`status = 'pending'`),
    index('notification_deliveries_first')
      .on(table.targetId, table.topic, table.sequence)
      .where(sql`status = 'pending' and attempt_count = 0`),
    index('notification_deliveries_by_target').on(
      table.targetId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    index('notification_deliveries_by_message').on(table.messageId),
  ],
);

/** Every request to a target, and how it responded. */
export const notificationAttempts = pgTable(
  'notification_attempts',
  {
    deliveryId: text('delivery_id').notNull(),
    attempt: integer('attempt').notNull(),
    at: at('at').notNull(),
    statusCode: integer('status_code'),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    responseText: text('response_text').notNull(),
  },
  (table) => [unique('notification_attempts_once').on(table.deliveryId, table.attempt)],
);

/**
 * How far notifications follow the orders' log. `position`: everything up to it has been read, and
 * nothing older can still appear. Numbers are given before they are committed, so `mark` is the
 * newest entry seen at some moment, and `mark_transaction` a transaction begun after that: once no
 * older transaction runs, nothing up to the mark can still appear, and the position moves there.
 */
export const notificationCursor = pgTable('notification_cursor', {
  name: text('name').primaryKey(),
  position: bigint('position', { mode: 'bigint' }).notNull(),
  mark: bigint('mark', { mode: 'bigint' }),
  markTransaction: text('mark_transaction'),
});

/** Settled markets whose messages have been made. */
export const notifiedSettlements = pgTable('notified_settlements', {
  ticker: text('ticker').primaryKey(),
  at: at('at').notNull().defaultNow(),
});
