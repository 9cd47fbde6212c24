import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/client.ts';
import { rateLimits } from '../../platform/database/schema/rateLimits.ts';
import type { Ledger } from './rateLimit.ts';

/** Sharings between two removals of callers that have been quiet. */
const RETENTION_EVERY = 200;

/** Keeps the counts of all web processes in the database, in one statement per sharing. */
export function rateLedger(database: Database): Ledger {
  let sharings = 0;
  return async (spent) => {
    // Always in the same order, so that two processes never wait for each other's rows.
    const sorted = spent.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const keys = sorted.map((one) => one.key);
    const costs = sorted.map((one) => one.costMs);
    const result = await database.orm.execute<{ key: string; full_in_ms: number }>(sql`
      insert into rate_limits as kept (key, full_at)
      select key, now() + cost * interval '1 millisecond'
      from unnest(${sql.param(keys)}::text[], ${sql.param(costs)}::float8[]) as spent (key, cost)
      on conflict (key) do update
        set full_at = greatest(kept.full_at, now()) + (excluded.full_at - now())
      returning key, (extract(epoch from full_at - now()) * 1000)::float8 as full_in_ms`);
    sharings += 1;
    if (sharings % RETENTION_EVERY === 0) {
      await database.orm
        .delete(rateLimits)
        .where(sql`${rateLimits.fullAt} < now() - interval '1 minute'`);
    }
    return result.rows.map((row) => ({ key: row.key, fullInMs: row.full_in_ms }));
  };
}
