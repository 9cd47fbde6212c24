import { sql } from 'drizzle-orm';
import type { Database, Queryable } from './client.ts';

/**
 * Writes in one transaction whose commit is not waited for to be on disk: for what can be read
 * again from where it came. A power cut may take the last of it back, never some of it and not what
 * was committed after it. Whatever is committed as usual by somebody who has seen it makes it last.
 * Where a statement fails, what is thrown may be that another of them came too late (25P02).
 */
export async function commitLazily(
  database: Database,
  write: (db: Queryable) => Promise<unknown>,
): Promise<void> {
  await database.orm.transaction(async (tx) => {
    await Promise.all([tx.execute(sql`set local synchronous_commit = off`), write(tx)]);
  });
}
