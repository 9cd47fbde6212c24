import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** How long each caller's quota of a class is used up, over all web processes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** When the bucket is full again; in the past for quiet callers. */
    fullAt: at('full_at').notNull(),
  },
  (table) => [index('rate_limits_age').on(table.fullAt)],
);
