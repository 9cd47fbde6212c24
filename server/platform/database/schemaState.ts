import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartError } from '../process/runMain.ts';
import { closeDatabase, type Database } from './client.ts';

const JOURNAL = new URL('./migrations/meta/_journal.json', import.meta.url);
/** The table or its schema does not exist. */
const MISSING_CODES = ['42P01', '3F000'];

const journalSchema = z.object({
  entries: z.array(z.object({ when: z.number(), tag: z.string() })),
});

/**
 * The migrations of this release that the database lacks, oldest first. The database may have more:
 * an older release runs on the schema of a newer one.
 */
async function missingMigrations({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
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
    if (MISSING_CODES.includes(code)) return 0;
    throw error;
  }
}

/** @throws {StartError} when the database lacks migrations of this release; closes it first */
export async function requireMigrations(database: Database): Promise<void> {
  const missing = await missingMigrations(database);
  if (missing.length === 0) return;
  await closeDatabase(database);
  throw new StartError(
    'notYet',
    `the database lacks ${missing.join(', ')}; run npm run migrate with the database's owner in DATABASE_URL`,
  );
}
