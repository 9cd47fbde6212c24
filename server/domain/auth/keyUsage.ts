import { lt, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { ApiKeyUsage } from '#lib/api/schemas/key.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { apiKeyUsage } from '../../platform/database/schema/auth.ts';
import type { Log } from '../../platform/log.ts';
import { getApiKey } from './manageApiKeys.ts';

/** Counts requests by key without a write for each. */
export type KeyUsage = {
  note(apiKeyId: string, isRefused: boolean): void;
  /** Writes the counts; those that cannot be written now are kept. */
  flush(): Promise<void>;
  /** Writes a last time and stops counting. */
  close(): Promise<void>;
};

/** A killed process loses at most this much. */
const FLUSH_EVERY_MS = 5_000;

/** More than a caller may request, `apiKeyUsageQuerySchema`. */
export const KEY_USAGE_DAYS = 100;

type Count = { requests: number; refused: number };

/**
 * Starts counting in this process. The database adds up the counts of several processes. A write
 * without a response is repeated, so after an outage a count may be too high, never too low.
 */
export function openKeyUsage(deps: { database: Database; log: Log }): KeyUsage {
  let counts = new Map<string, Count>();
  const note = (apiKeyId: string, requests: number, refused: number) => {
    const count = counts.get(apiKeyId);
    if (count) {
      count.requests += requests;
      count.refused += refused;
    } else counts.set(apiKeyId, { requests, refused });
  };
  const flush = async () => {
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    try {
      await addUsage(deps.database, taken);
    } catch (error) {
      for (const [id, { requests, refused }] of taken) note(id, requests, refused);
      deps.log.warn({ err: error }, 'usage of keys not written yet');
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    note: (apiKeyId, isRefused) => note(apiKeyId, 1, isRefused ? 1 : 0),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

async function addUsage(database: Database, counts: ReadonlyMap<string, Count>): Promise<void> {
  // Consistent lock order prevents deadlocks.
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const column = (name: keyof Count) => sql.param(sorted.map(([, count]) => count[name]));
  await database.orm.execute(sql`
    insert into api_key_usage as kept (api_key_id, day, requests, refused)
    select id, (now() at time zone 'UTC')::date, requests, refused
    from unnest(${sql.param(sorted.map(([id]) => id))}::text[], ${column('requests')}::bigint[],
      ${column('refused')}::bigint[]) as counted (id, requests, refused)
    on conflict (api_key_id, day) do update set
      requests = kept.requests + excluded.requests, refused = kept.refused + excluded.refused`);
}

/**
 * Requests of a wallet's own key per day, oldest first, including today.
 * @throws {ServiceError} key_not_found
 */
export async function listKeyUsage(
  deps: { database: Database },
  input: { owner: Address; id: string; days: number },
): Promise<ApiKeyUsage> {
  const { id } = await getApiKey(deps, input);
  const { rows } = await deps.database.orm.execute<{
    day: string;
    requests: string;
    refused: string;
  }>(
    sql`
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(u.requests, 0)::text as requests,
      coalesce(u.refused, 0)::text as refused
    from generate_series((now() at time zone 'UTC')::date - (${input.days}::int - 1),
      (now() at time zone 'UTC')::date, interval '1 day') d
    left join ${apiKeyUsage} u on u.api_key_id = ${id} and u.day = d::date
    order by d`,
  );
  return {
    days: rows.map(({ day, requests, refused }) => ({
      day,
      requests: Number(requests),
      refused: Number(refused),
    })),
  };
}

/** Deletes counts of days that can no longer be requested. @returns the number of deleted rows */
export async function deleteOldKeyUsage(db: Queryable): Promise<number> {
  const gone = await db
    .delete(apiKeyUsage)
    .where(lt(apiKeyUsage.day, sql`(now() at time zone 'UTC')::date - ${KEY_USAGE_DAYS}::int`));
  return gone.rowCount ?? 0;
}
