import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));

/** Arbitrary: the lock for which concurrent migrators queue. */
const MIGRATION_LOCK_KEY = 7_203_114;

/** How long a step may wait for a table; then the migration fails and can be repeated. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Brings the schema up to date. Several processes may do so at once: the migrator takes no lock, so
 * the transaction of a second connection holds one meanwhile.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const lock = new pg.Client({ connectionString: url, application_name: 'crossbook-migrate' });
  const work = new pg.Client({ connectionString: url, application_name: 'crossbook-migrate' });
  await lock.connect();
  try {
    await work.connect();
    // A step that waits for a lock would block every later query of that table.
    await work.query(`set lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
    // One is idle for as long as the steps take, the other between them on a busy machine: the
    // owner's own limit would end either.
    for (const client of [lock, work]) {
      await client.query('set idle_in_transaction_session_timeout = 0');
    }
    await lock.query('begin');
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK_KEY]);
    await migrate(drizzle(work), { migrationsFolder: MIGRATIONS_FOLDER });
    await lock.query('commit');
  } finally {
    await work.end();
    await lock.end();
  }
}
