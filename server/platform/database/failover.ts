import { StartError } from '../process/runMain.ts';
import { closeDatabase, type Database } from './client.ts';

/** Levels at which a commit does not wait for a standby. */
const WITHOUT_STANDBY = new Set(['off', 'local']);

/**
 * Why the server may lose an acknowledged commit with its primary; undefined when a standby has
 * every commit before it is acknowledged.
 */
export async function findLossOnFailover({
  pool,
}: Pick<Database, 'pool'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ level: string; standbys: string }>(
    `select current_setting('synchronous_commit') as level,
       current_setting('synchronous_standby_names') as standbys`,
  );
  const { level = '', standbys = '' } = rows[0] ?? {};
  if (WITHOUT_STANDBY.has(level)) return `synchronous_commit is ${level}`;
  return standbys.trim() === '' ? 'synchronous_standby_names is empty' : undefined;
}

/** @throws {StartError} when a failover may lose acknowledged orders; closes the database first */
export async function requireSynchronousCommits(database: Database): Promise<void> {
  const loss = await findLossOnFailover(database);
  if (loss === undefined) return;
  await closeDatabase(database);
  throw new StartError(
    'refused',
    `${loss}, so a failover loses acknowledged orders; with Patroni set synchronous_mode and synchronous_mode_strict, or correct DATABASE_FAILOVER`,
  );
}
