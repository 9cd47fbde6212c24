import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Every comparison of books, exchange and chain, with what it found. */
export const reconciliationRuns = pgTable(
  'reconciliation_runs',
  {
    id: uuid('id').primaryKey(),
    startedAt: at('started_at').notNull(),
    checkedAt: at('checked_at').notNull(),
    status: text('status').$type<'ok' | 'differences' | 'failing'>().notNull(),
    differences: jsonb('differences').notNull(),
    /** Seen once, perhaps work in flight: they count when the next look sees them again. */
    suspicions: jsonb('suspicions').notNull(),
    /** Questions asked: `queries`, `rpcCalls`, `exchangeCalls`. */
    cost: jsonb('cost').notNull(),
    failure: text('failure'),
  },
  (table) => [index('reconciliation_runs_by_time').on(table.checkedAt.desc())],
);

/** One process at a time compares. */
export const reconciliationLease = pgTable('reconciliation_lease', {
  name: text('name').primaryKey(),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
});

/** What was there before us, or was looked into and accepted: it counts as explained. */
export const reconciliationBaselines = pgTable(
  'reconciliation_baselines',
  {
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    amountMicros: bigint('amount_micros', { mode: 'bigint' }).notNull(),
    note: text('note').notNull(),
    acceptedBy: text('accepted_by').notNull(),
    acceptedAt: at('accepted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
);
