import { sql } from 'drizzle-orm';
import { index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What somebody must look at. One open alert per kind and subject; resolved ones stay. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** What it is about: a ticker, an intent, a signer; `service` when it is none of them. */
    subject: text('subject').notNull(),
    /** Shown to everybody on /v1/status. */
    detail: text('detail').notNull(),
    /** For operators only. */
    internalDetail: text('internal_detail'),
    raisedAt: at('raised_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    resolvedAt: at('resolved_at'),
  },
  (table) => [
    uniqueIndex('alerts_open').on(table.kind, table.subject).where(sql`resolved_at is null`),
    index('alerts_by_time').on(table.raisedAt),
  ],
);
