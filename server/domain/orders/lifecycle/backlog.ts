import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

/** After this many failures a step retries only once a minute: the dead letter. */
export const DEAD_LETTER_FAILURES = 8;

/** How much work waits, how overdue its oldest part is, and what fails. */
export type Backlog = {
  openOrders: number;
  overdueSeconds: number;
  failingOrders: number;
  deadLetters: number;
};

/** Open orders, and how late the processor is with them. */
export async function readBacklog(deps: { database: Database }): Promise<Backlog> {
  const result = await deps.database.orm.execute<{
    open: number;
    overdue: number;
    failing: number;
    dead: number;
  }>(sql`
    select count(*)::int as open,
      greatest(0, coalesce(extract(epoch from now() - min(next_run_at)), 0))::float8 as overdue,
      count(*) filter (where failures > 0)::int as failing,
      count(*) filter (where failures >= ${DEAD_LETTER_FAILURES})::int as dead
    from orders where not is_complete`);
  const [row] = result.rows;
  return {
    openOrders: row?.open ?? 0,
    overdueSeconds: Math.floor(row?.overdue ?? 0),
    failingOrders: row?.failing ?? 0,
    deadLetters: row?.dead ?? 0,
  };
}
