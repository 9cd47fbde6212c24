import { closeDatabase, type Database } from '../database/client.ts';
import { missingMigrations } from '../database/schemaState.ts';
import { StartError } from './runMain.ts';

/** @throws {StartError} when the database lacks tables that this release needs; it is closed then */
export async function requireMigrations(database: Database): Promise<void> {
  const missing = await missingMigrations(database);
  if (missing.length === 0) return;
  await closeDatabase(database);
  throw new StartError(
    'notYet',
    `the database lacks ${missing.join(', ')}; run npm run migrate with the database's owner in DATABASE_URL`,
  );
}
