import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { orphanedRequests } from '#server/platform/database/schema/chain.ts';
import type { OrderStage } from '#server/platform/database/schema/orders.ts';

/** After this many failures a step retries only once a minute: the dead letter. */
const DEAD_LETTER_FAILURES = 8;

type Backlog = {
  openOrders: number;
  overdueSeconds: number;
  failingOrders: number;
  deadLetters: number;
};

export async function readBacklog(deps: { database: Database }): Promise<Backlog> {
  const { rows } = await deps.database.orm.execute<Backlog>(sql`
    select count(*)::int as "openOrders",
      floor(greatest(0, coalesce(extract(epoch from now() - min(next_run_at)), 0)))::int
        as "overdueSeconds",
      count(*) filter (where failures > 0)::int as "failingOrders",
      count(*) filter (where failures >= ${DEAD_LETTER_FAILURES})::int as "deadLetters"
    from orders where not is_complete`);
  return rows[0] ?? { openOrders: 0, overdueSeconds: 0, failingOrders: 0, deadLetters: 0 };
}

/** Open orders of one stage, and the funds that they tie up. */
type StageLoad = {
  stage: Exclude<OrderStage, 'done'>;
  open: number;
  oldestSeconds: number;
  /** USDC that is locked in the vault, about to be, or on its way out. */
  usdcMicros: bigint;
  /** Outcome tokens, likewise. */
  contractMicros: bigint;
};

const OPEN_STAGES = [
  'request',
  'trigger',
  'place',
  'rest',
  'deliver',
  'refund',
  'withdraw',
  'redeem',
  'unwind',
] as const;

/** Every stage, including empty ones. Reads only open orders, by their index. */
export async function readStages(deps: { database: Database }): Promise<StageLoad[]> {
  type Row = { stage: string; open: number; oldest: number; usdc: string; contracts: string };
  const { rows } = await deps.database.orm.execute<Row>(sql`
    select stage, count(*)::int as open,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as oldest,
      coalesce(sum(case when is_unwinding then 0 when kind = 'withdrawal' then
          case when withdraw_token_id is null then withdraw_micros else 0 end
        when trade_action = 'buy' then quote_limit_usdc_micros else 0 end), 0)::text as usdc,
      coalesce(sum(case when is_unwinding then 0 when kind = 'withdrawal' then
          case when withdraw_token_id is null then 0 else withdraw_micros end
        when trade_action = 'sell' then contract_micros else 0 end), 0)::text as contracts
    from orders where not is_complete or is_unwinding group by stage`);
  return OPEN_STAGES.map((stage) => {
    const row = rows.find((one) => one.stage === stage);
    return {
      stage,
      open: row?.open ?? 0,
      oldestSeconds: row?.oldest ?? 0,
      usdcMicros: BigInt(row?.usdc ?? 0),
      contractMicros: BigInt(row?.contracts ?? 0),
    };
  });
}

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

export async function countOrphanedRequests(deps: {
  database: Database;
}): Promise<{ total: number; open: number }> {
  const [counts] = await deps.database.orm
    .select({
      total: sql<number>`count(*)::int`,
      open: sql<number>`count(*) filter (where ${orphanedRequests.state} = 'open')::int`,
    })
    .from(orphanedRequests);
  return counts ?? { total: 0, open: 0 };
}
