import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Until when each caller has used up its quota of a class, over all web processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** When the bucket is whole again; in the past for callers that have been quiet. */
    fullAt: timestamp('full_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('rate_limits_age').on(table.fullAt)],
);
