import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What admins did, and what the service did that they should know of. Append only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull(),
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

/** Who may use the admins' pages and interface. Only a hash of the token is kept. */
export const admins = pgTable('admins', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique('admins_name'),
  /** `watch` sees everything and changes nothing. */
  role: text('role').$type<'watch' | 'act'>().notNull(),
  /** SHA-256 of the whole token, hex. */
  hash: text('hash').notNull().unique('admins_hash'),
  /** First and last characters, for recognising it in a list. */
  hint: text('hint').notNull(),
  createdAt: at('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  expiresAt: at('expires_at'),
  revokedAt: at('revoked_at'),
});

/** Restores of the database: intents older than one may have gone further than it remembers. */
export const databaseRestores = pgTable('database_restores', {
  id: uuid('id').primaryKey(),
  noticedAt: at('noticed_at').notNull(),
  how: text('how').notNull(),
});

/** Markets that take no new orders until an admin or the next comparison lifts the suspension. */
export const marketSuspensions = pgTable(
  'market_suspensions',
  {
    id: uuid('id').primaryKey(),
    ticker: text('ticker').notNull(),
    /** Public text. */
    reason: text('reason').notNull(),
    /** `reconciliation` lifts what it suspended; what an admin suspended an admin lifts. */
    suspendedBy: text('suspended_by').notNull(),
    suspendedAt: at('suspended_at').notNull(),
    liftedAt: at('lifted_at'),
    liftedBy: text('lifted_by'),
  },
  (table) => [index('market_suspensions_open').on(table.ticker).where(sql`lifted_at is null`)],
);
