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

/** Who may use the operators' pages and interface. Only a hash of the token is kept. */
export const operators = pgTable('operators', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique('operators_name'),
  /** `watch` sees everything and changes nothing. */
  role: text('role').$type<'watch' | 'act'>().notNull(),
  /** SHA-256 of the whole token, hex. */
  hash: text('hash').notNull().unique('operators_hash'),
  /** First and last characters, for recognising it in a list. */
  hint: text('hint').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  createdBy: text('created_by').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }),
  revokedAt: timestamp('revoked_at', { withTimezone: true, precision: 3 }),
});

/** Restores of the database: intents older than one may have gone further than it remembers. */
export const databaseRestores = pgTable('database_restores', {
  id: uuid('id').primaryKey(),
  noticedAt: timestamp('noticed_at', { withTimezone: true, precision: 3 }).notNull(),
  how: text('how').notNull(),
});
