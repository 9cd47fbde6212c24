import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

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
