import { type Database, ormOf, type Queryable } from './client.ts';

/**
 * Writes in one transaction whose commit is not waited for to be on disk: for what can be read
 * again from where it came. A power cut may take the last of it back, never some of it and not what
 * was committed after it. Whatever is committed as usual by somebody who has seen it makes it last.
 * The transaction begins along with its first statements, not before them: a process that is busy
 * would hear late that it may go on. Throws what went wrong first.
 * @param write begins statements, each of them by itself, in the order in which they count
 */
export async function commitLazily(
  database: Database,
  write: (db: Queryable) => Promise<unknown>[],
): Promise<void> {
  const connection = await database.pool.connect();
  let broken: unknown;
  try {
    const begun = connection.query('begin');
    const isLazy = connection.query('set local synchronous_commit = off');
    // All are heard out: one that is still to be sent must not come after the end of this.
    const outcomes = await Promise.allSettled([begun, isLazy, ...write(ormOf(connection))]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback').catch((reason: unknown) => {
      broken = reason;
    });
    throw error;
  } finally {
    connection.release(broken !== undefined);
  }
}
