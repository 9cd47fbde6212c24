import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Where callers want to be told of what happens. The subject is a key or a wallet, never both. */
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

/** What is told, word for word: every attempt sends the same bytes under the same id. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    id: text('id').primaryKey(),
    /** What it was made from, so that it is made once. */
    source: text('source').notNull().unique('webhook_messages_source'),
    type: text('type').notNull(),
    payload: text('payload').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('webhook_messages_age').on(table.createdAt)],
);

/** A message on its way to one webhook. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    webhookId: text('webhook_id').notNull(),
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull(),
    /** Attempts of all time, and those since it was last begun or replayed. */
    attemptCount: integer('attempt_count').notNull().default(0),
    roundCount: integer('round_count').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    /** Who is sending it now. Database time only. */
    leaseToken: uuid('lease_token'),
    leaseUntil: at('lease_until'),
    createdAt: at('created_at').notNull().defaultNow(),
    deliveredAt: at('delivered_at'),
  },
  (table) => [
    unique('webhook_deliveries_once').on(table.webhookId, table.messageId),
    index('webhook_deliveries_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index('webhook_deliveries_by_webhook').on(
      table.webhookId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    index('webhook_deliveries_by_message').on(table.messageId),
  ],
);

/** Every time a target was asked, and what it answered. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: text('delivery_id').notNull(),
    attempt: integer('attempt').notNull(),
    at: at('at').notNull(),
    statusCode: integer('status_code'),
    durationMs: integer('duration_ms').notNull(),
    error: text('error'),
    answer: text('answer').notNull(),
  },
  (table) => [unique('webhook_attempts_once').on(table.deliveryId, table.attempt)],
);

/** Markets whose settlement has been told. */
export const webhookSettlements = pgTable('webhook_settlements', {
  ticker: text('ticker').primaryKey(),
  at: at('at').notNull().defaultNow(),
});
