import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { strayRequests } from '../db/schema/chain.ts';

/** How often funds were locked for no order, and how many are not back with their owners yet. */
export async function countStrayRequests(deps: {
  database: Database;
}): Promise<{ total: number; open: number }> {
  const [counts] = await deps.database.orm
    .select({
      total: sql<number>`count(*)::int`,
      open: sql<number>`count(*) filter (where ${strayRequests.state} = 'open')::int`,
    })
    .from(strayRequests);
  return counts ?? { total: 0, open: 0 };
}
