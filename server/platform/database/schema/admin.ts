import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** Actions of admins, and those of the service that admins should know of. Append only. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull(),
    /** A named person, a user of the operating system, or `service`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** The order, market, alert or kind that was acted on. */
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

/** Restores of the database. Orders older than a restore may have progressed beyond its data. */
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
    /** `reconciliation` lifts its own suspensions; an admin lifts those of admins. */
    suspendedBy: text('suspended_by').notNull(),
    suspendedAt: at('suspended_at').notNull(),
    liftedAt: at('lifted_at'),
    liftedBy: text('lifted_by'),
  },
  (table) => [index('market_suspensions_open').on(table.ticker).where(sql`lifted_at is null`)],
);

/** Conditions that need a person. One open alert per kind and subject; resolved ones stay. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** A ticker, an order or a signer; otherwise `service`. */
    subject: text('subject').notNull(),
    /** Public: shown on /v1/status. */
    detail: text('detail').notNull(),
    /** For admins only. */
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
