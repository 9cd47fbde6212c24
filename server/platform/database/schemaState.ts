import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from './client.ts';

const JOURNAL = new URL('./migrations/meta/_journal.json', import.meta.url);
/** The table or its schema is not there. */
const NOT_THERE = ['42P01', '3F000'];

const journalSchema = z.object({
  entries: z.array(z.object({ when: z.number(), tag: z.string() })),
});

/**
 * The migrations this release knows and the database does not have, oldest first. More than it
 * knows may be there: an older release runs on the schema of a newer one.
 */
export async function missingMigrations({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const { entries } = journalSchema.parse(JSON.parse(readFileSync(JOURNAL, 'utf8')));
  const newest = await newestApplied(pool);
  return entries.filter(({ when }) => when > newest).map(({ tag }) => tag);
}

async function newestApplied(pool: Database['pool']): Promise<number> {
  try {
    const response = await pool.query<{ newest: string | null }>(
      'select max(created_at) as newest from drizzle.__drizzle_migrations',
    );
    return Number(response.rows[0]?.newest ?? 0);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NOT_THERE.includes(code)) return 0;
    throw error;
  }
}
