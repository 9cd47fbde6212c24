import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Browsers in which an owner is notified. An endpoint lets anyone wake its browser: a secret. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: text('id').primaryKey(),
    ownerAddress: text('owner_address').notNull(),
    endpoint: text('endpoint').notNull().unique('push_subscriptions_endpoint'),
    /** The browser's keys, base64url: only it can read what is encrypted for them. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    failingSince: at('failing_since'),
    lastDeliveredAt: at('last_delivered_at'),
    /** Older events are not sent; a browser that changes hands gets a new row. */
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('push_subscriptions_by_owner').on(table.ownerAddress)],
);
