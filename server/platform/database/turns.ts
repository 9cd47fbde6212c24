import { sql } from 'drizzle-orm';
import type { Queryable } from './client.ts';

/**
 * Whether it is this process's turn to do a job that one process every `everyMs` is enough for,
 * however many there are. Not a lock: a job that takes longer runs twice at the same time.
 * @param everyMs a little less than the interval at which each process asks
 */
export async function takeTurn(db: Queryable, job: string, everyMs: number): Promise<boolean> {
  const nextAt = sql`now() + ${everyMs}::int * interval '1 millisecond'`;
  const { rows } = await db.execute(sql`
    with taken as (
      update job_turns set next_at = ${nextAt} where job = ${job} and next_at <= now()
      returning job),
    first as (
      insert into job_turns (job, next_at)
      select ${job}, ${nextAt} where not exists (select from job_turns where job = ${job})
      on conflict do nothing returning job)
    select job from taken union all select job from first`);
  return rows.length === 1;
}

/** The job's next turn comes no earlier than that. */
export async function putOffTurn(db: Queryable, job: string, byMs: number): Promise<void> {
  await db.execute(sql`
    update job_turns
    set next_at = greatest(next_at, now() + ${byMs}::int * interval '1 millisecond')
    where job = ${job}`);
}
