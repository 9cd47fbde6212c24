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
  /** Writes what was counted; what cannot be written now is kept. */
  flush(): Promise<void>;
  /** Writes it a last time and counts no more. */
  close(): Promise<void>;
};

/** What a killed process has not written is at most so old. */
const FLUSH_EVERY_MS = 5_000;

/** Beyond what a caller may ask for, `apiKeyUsageQuerySchema`. */
const MOST_DAYS = 100;

type Count = { requests: number; refused: number };

/**
 * Opens the counting of one process. Counts of several processes add up in the database. A write
 * whose answer got lost is repeated, so that a count may be too high after an outage, never too low.
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
  // One order for everybody: two processes never wait for each other's rows.
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
 * Requests of a wallet's own key on each of so many days, the oldest first, today included.
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

/** Counts of days that nobody can ask for any more. @returns how many rows went */
export async function deleteOldKeyUsage(db: Queryable): Promise<number> {
  const gone = await db
    .delete(apiKeyUsage)
    .where(lt(apiKeyUsage.day, sql`(now() at time zone 'UTC')::date - ${MOST_DAYS}::int`))
    .returning({ day: apiKeyUsage.day });
  return gone.length;
}
