import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { DEAD_LETTER_FAILURES } from './backlog.ts';

/** An open order that makes no progress. */
export type ProblemOrder = {
  id: string;
  kind: string;
  ticker: string | null;
  status: string;
  stage: string;
  failures: number;
  /** Seconds since its work was due. */
  overdueSeconds: number;
  /** Seconds past its expiry; negative before. Null for withdrawals. */
  pastExpirySeconds: number | null;
  chainTries: number;
};

const OVERDUE_SECONDS = 15;
const MANY_CHAIN_TRIES = 3;

/** Orders that fail repeatedly, are overdue or past their expiry, the worst first. */
export async function listProblemOrders(
  deps: { database: Database },
  query: { all?: boolean; limit?: number } = {},
): Promise<ProblemOrder[]> {
  const { rows } = await deps.database.orm.execute<ProblemOrder>(sql`
    select * from (
      select o.id, o.kind, o.ticker, o.status, o.stage, o.failures,
        greatest(0, floor(extract(epoch from now() - o.next_run_at)))::int as "overdueSeconds",
        floor(extract(epoch from now() - o.expires_at))::int as "pastExpirySeconds",
        coalesce((select max(c.attempt) from chain_operations c where c.order_id = o.id), 0)::int
          as "chainTries"
      from orders o where not o.is_complete or o.is_unwinding
    ) x
    where ${query.all ?? false} or failures > 0 or "overdueSeconds" > ${OVERDUE_SECONDS}
      or "pastExpirySeconds" > 0 or "chainTries" >= ${MANY_CHAIN_TRIES}
    order by failures desc, "overdueSeconds" desc limit ${query.limit ?? 200}`);
  return rows;
}

export function isDeadLetter(order: Pick<ProblemOrder, 'failures'>): boolean {
  return order.failures >= DEAD_LETTER_FAILURES;
}

/** Every stored row about one order. */
export async function readWholeStory(
  deps: { database: Database },
  id: string,
): Promise<Record<string, unknown[]>> {
  const parts = {
    intent: sql`select * from orders where id = ${id}`,
    events: sql`select type, status, detail, transaction_hash, at from order_events
      where order_id = ${id} order by sequence`,
    attempts: sql`select * from exchange_attempts where order_id = ${id} order by attempt`,
    fills: sql`select * from exchange_fills where order_id = ${id} order by filled_at`,
    operations: sql`select c.kind, c.attempt, c.state, c.failure, c.created_at, c.resolved_at, t.hash, t.state as transaction
      from chain_operations c left join chain_transactions t on t.id = c.transaction_id
      where c.order_id = ${id} order by c.created_at`,
    chain: sql`select e.* from vault_events e join orders o on o.chain_order_id = e.chain_order_id
      where o.id = ${id} order by e.block_number, e.log_index`,
    ledger: sql`select posting, account, asset, amount_micros, at from ledger_entries
      where order_id = ${id} order by at, posting, account`,
    audit: sql`select at, actor, action, reason from audit_log where subject = ${id} order by at`,
  };
  const story: Record<string, unknown[]> = {};
  for (const [name, text] of Object.entries(parts)) {
    story[name] = (await deps.database.orm.execute(text)).rows;
  }
  return story;
}
