import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

const LEASE_NAME = 'lease';
export const LEASE_SECONDS = 15;

/**
 * Acquires or renews the right to keep the mirror. Any number of processors may run; one of them
 * syncs, and another takes over when it stops renewing. Times are the database's.
 */
export async function holdLease(database: Database, holder: string): Promise<boolean> {
  const { rowCount } = await database.orm.execute(sql`
    insert into catalogue_state (name, value, updated_at)
    values (${LEASE_NAME}, ${JSON.stringify({ holder })}::jsonb, now())
    on conflict (name) do update set value = excluded.value, updated_at = now()
    where catalogue_state.value->>'holder' = ${holder}
      or catalogue_state.updated_at < now() - ${LEASE_SECONDS} * interval '1 second'`);
  return rowCount === 1;
}

/** Releases the lease, so that another processor takes over at once. */
export async function releaseLease(database: Database, holder: string): Promise<void> {
  await database.orm.execute(sql`
    delete from catalogue_state where name = ${LEASE_NAME} and value->>'holder' = ${holder}`);
}
