import { pgTable, text } from 'drizzle-orm/pg-core';
import { at } from './columns.ts';

/** When the next process may do a job that one at a time is enough for. */
export const jobTurns = pgTable('job_turns', {
  job: text('job').primaryKey(),
  nextAt: at('next_at').notNull(),
});
