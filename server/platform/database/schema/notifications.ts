import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

/** A webhook, or a browser's push service. */
export type Channel = 'webhook' | 'push';

/** The exact payloads: every attempt sends the same bytes under the same id. */
export const notificationMessages = pgTable(
  'notification_messages',
  {
    id: text('id').primaryKey(),
    channel: text('channel').$type<Channel>().notNull(),
    /** The cause of the message; one source makes one message per channel. */
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
    sequence: int8('sequence').notNull().generatedAlwaysAsIdentity(),
    channel: text('channel').$type<Channel>().notNull(),
    /** A webhook or a push subscription. */
    targetId: text('target_id').notNull(),
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    topic: text('topic').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull(),
    /** All attempts, and those since the delivery was created or last replayed. */
    attemptCount: integer('attempt_count').notNull().default(0),
    roundCount: integer('round_count').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    /** After this the message is too old to send; null for never. */
    expiresAt: at('expires_at'),
    /** The process that is sending it. Database time only. */
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
 * The notifications' progress in the orders' log. Everything up to `position` was read, and no
 * older entry can still appear. Sequence numbers are assigned before commit, so `mark` is the
 * newest entry seen at some moment and `mark_transaction` a transaction that began later: once no
 * older transaction runs, no entry up to the mark can still appear, and the position moves there.
 */
export const notificationCursor = pgTable('notification_cursor', {
  name: text('name').primaryKey(),
  position: int8('position').notNull(),
  mark: int8('mark'),
  markTransaction: text('mark_transaction'),
});

/** Settled markets whose messages are stored. */
export const notifiedSettlements = pgTable('notified_settlements', {
  ticker: text('ticker').primaryKey(),
  at: at('at').notNull().defaultNow(),
});

/** Where callers receive messages. The subject is a key or a wallet, never both. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    apiKeyId: text('api_key_id'),
    ownerAddress: text('owner_address'),
    url: text('url').notNull(),
    description: text('description').notNull(),
    /** Empty for all. */
    eventTypes: text('event_types').array().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    disabledReason: text('disabled_reason').$type<'by_hand' | 'failing' | 'gone' | 'key_revoked'>(),
    /** Signs messages, so it is kept as it is; `whsec_` and base64. */
    secret: text('secret').notNull(),
    previousSecret: text('previous_secret'),
    previousSecretUntil: at('previous_secret_until'),
    failingSince: at('failing_since'),
    lastDeliveredAt: at('last_delivered_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('webhooks_by_key').on(table.apiKeyId),
    index('webhooks_by_owner').on(table.ownerAddress),
    check('webhooks_one_subject', sql`(api_key_id is null) <> (owner_address is null)`),
    check('webhooks_disabled_has_reason', sql`enabled = (disabled_reason is null)`),
  ],
);

/**
 * Browsers that receive an owner's notifications. An endpoint is a secret: it can wake its browser.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: text('id').primaryKey(),
    ownerAddress: text('owner_address').notNull(),
    endpoint: text('endpoint').notNull().unique('push_subscriptions_endpoint'),
    /** The browser's keys, base64url: only it can decrypt its messages. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    failingSince: at('failing_since'),
    lastDeliveredAt: at('last_delivered_at'),
    /** Older events are not sent; a browser with a new owner gets a new row. */
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('push_subscriptions_by_owner').on(table.ownerAddress)],
);

/** Prices that owners wait for. Each fires once: `fired_at` is set with its messages. */
export const priceAlerts = pgTable(
  'price_alerts',
  {
    id: text('id').primaryKey(),
    ownerAddress: text('owner_address').notNull(),
    /** The key it was set with; its webhooks receive the message too. */
    apiKeyId: text('api_key_id').notNull(),
    ticker: text('ticker').notNull(),
    side: text('side').$type<'yes' | 'no'>().notNull(),
    priceMicros: micros('price_micros').notNull(),
    direction: text('direction').$type<'above' | 'below'>().notNull(),
    source: text('source').$type<'bid' | 'ask' | 'last'>().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    expiresAt: at('expires_at'),
    firedAt: at('fired_at'),
    firedPriceMicros: micros('fired_price_micros'),
    /** When its market had closed before it fired. */
    endedAt: at('ended_at'),
  },
  (table) => [
    index('price_alerts_by_owner').on(table.ownerAddress, table.createdAt.desc(), table.id.desc()),
    index('price_alerts_waiting')
      .on(table.ticker)
      .where(sql`fired_at is null and ended_at is null`),
    check('price_alerts_fired_has_price', sql`(fired_at is null) = (fired_price_micros is null)`),
  ],
);
