import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { at, micros } from './columns.ts';

/**
 * Network fees that the service has accepted to pay: one row per smart account, for the UTC day,
 * and one for all of them, for the hour.
 */
export const relayBudgets = pgTable('relay_budgets', {
  /** A smart account's address, or `*`. */
  scope: text('scope').primaryKey(),
  /** An earlier period counts no more. */
  periodStart: at('period_start').notNull(),
  usedCount: integer('used_count').notNull(),
  usedUsdMicros: micros('used_usd_micros').notNull(),
});
