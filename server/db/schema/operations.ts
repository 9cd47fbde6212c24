import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** What people did by hand, and what the service did that they should know of. Append only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
    /** Who: a person of the operating system or as named, or `service`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** The intent, market, alert or kind it was done to. */
    subject: text('subject').notNull(),
    reason: text('reason').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
  },
  (table) => [
    index('audit_log_by_time').on(table.at.desc()),
    index('audit_log_by_subject').on(table.subject),
  ],
);

/** Restores of the database: intents older than one may have gone further than it remembers. */
export const databaseRestores = pgTable('database_restores', {
  id: uuid('id').primaryKey(),
  noticedAt: timestamp('noticed_at', { withTimezone: true, precision: 3 }).notNull(),
  how: text('how').notNull(),
});
