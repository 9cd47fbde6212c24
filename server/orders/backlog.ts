import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';

/** How much work waits, and for how long the most overdue of it has been waiting. */
export type Backlog = { openOrders: number; overdueSeconds: number };

/** Orders that are not over, and how late the processor is with them. */
export async function readBacklog(deps: { database: Database }): Promise<Backlog> {
  const result = await deps.database.orm.execute<{ open: number; overdue: number }>(sql`
    select count(*)::int as open,
      greatest(0, coalesce(extract(epoch from now() - min(next_run_at)), 0))::float8 as overdue
    from orders where not is_complete`);
  const [row] = result.rows;
  return { openOrders: row?.open ?? 0, overdueSeconds: Math.floor(row?.overdue ?? 0) };
}
