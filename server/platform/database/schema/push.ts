import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * Browsers in which an owner asked to be notified. Whoever knows an endpoint can have its browser
 * woken up, so it is shown to nobody.
 */
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
    /** Nothing older is told; it begins anew when the browser changes hands. */
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [index('push_subscriptions_by_owner').on(table.ownerAddress)],
);

/** A notification on its way to one browser. */
export const pushDeliveries = pgTable(
  'push_deliveries',
  {
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id').notNull(),
    /** What it is made from, so that a browser is told of it once. */
    source: text('source').notNull(),
    /** A later one with the same tag takes its place. */
    tag: text('tag').notNull(),
    payload: text('payload').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    lastStatusCode: integer('last_status_code'),
    nextAttemptAt: at('next_attempt_at'),
    /** From when on it is no news any more. */
    expiresAt: at('expires_at').notNull(),
    /** Who is sending it now. Database time only. */
    leaseToken: uuid('lease_token'),
    leaseUntil: at('lease_until'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('push_deliveries_once').on(table.subscriptionId, table.source),
    index('push_deliveries_due').on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index('push_deliveries_age').on(table.createdAt),
  ],
);
