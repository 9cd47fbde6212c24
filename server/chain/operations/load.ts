import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';

/** Operations without a transaction. */
export type OperationLoad = { kind: string; open: number; oldestSeconds: number };

export async function readOperationLoad(db: Queryable): Promise<OperationLoad[]> {
  const { rows } = await db.execute<OperationLoad>(sql`
    select kind, count(*)::int as open,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as "oldestSeconds"
    from chain_operations where state = 'ready' group by kind`);
  return rows;
}

/** Transactions that are signed and not confirmed, and the age of the oldest in seconds. */
export async function readTransactionsInFlight(
  db: Queryable,
): Promise<{ open: number; oldestSeconds: number }> {
  const { rows } = await db.execute<{ open: number; oldest: number }>(sql`
    select count(*)::int as open,
      greatest(0, coalesce(extract(epoch from now() - min(signed_at)), 0))::float8 as oldest
    from chain_transactions where state in ('signed', 'lost')`);
  const [row] = rows;
  return { open: row?.open ?? 0, oldestSeconds: row?.oldest ?? 0 };
}
