import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at, micros } from './columns.ts';

/** Comparisons of books, exchange and chain, with their results. */
export const reconciliationRuns = pgTable(
  'reconciliation_runs',
  {
    id: uuid('id').primaryKey(),
    startedAt: at('started_at').notNull(),
    checkedAt: at('checked_at').notNull(),
    status: text('status').$type<'ok' | 'differences' | 'failing'>().notNull(),
    differences: jsonb('differences').notNull(),
    /** Found once, perhaps work in flight: they count once the next comparison finds them too. */
    suspicions: jsonb('suspicions').notNull(),
    /** Requests sent, and the time they took: `Cost` in server/domain/reconciliation/runs.ts. */
    cost: jsonb('cost').notNull(),
    failure: text('failure'),
  },
  (table) => [index('reconciliation_runs_by_time').on(table.checkedAt.desc())],
);

/** Of the release before; nothing reads it any more. */
export const reconciliationLease = pgTable('reconciliation_lease', {
  name: text('name').primaryKey(),
  leaseToken: uuid('lease_token'),
  leaseUntil: at('lease_until'),
});

/** Accepted differences and balances from before the service: they count as explained. */
export const reconciliationBaselines = pgTable(
  'reconciliation_baselines',
  {
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    amountMicros: micros('amount_micros').notNull(),
    note: text('note').notNull(),
    acceptedBy: text('accepted_by').notNull(),
    acceptedAt: at('accepted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
);
