import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { operationsInsert } from '#server/chain/operations/store.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { jsonForRows } from '#server/platform/database/jsonForRows.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { linesInsert } from '../../ledger/ledger.ts';
import { LEASE_SECONDS, type Lease } from './lease.ts';
import { type OrderRow, orderColumns, readOrderRow } from './orderRow.ts';
import type { Transition } from './transition.ts';

export type PendingTransition = {
  lease: Lease;
  transition: Transition;
  /** The due time that the step read: if the order was woken since, it is due again at once. */
  seenDueAt: Date | undefined;
};

/** What a transition may change of any order; other columns belong to the lease or never change. */
const OF_ANY = {
  status: orders.status,
  stage: orders.stage,
  terminationReason: orders.terminationReason,
  endingReason: orders.endingReason,
  isComplete: orders.isComplete,
  roomReservedAt: orders.roomReservedAt,
  isUnwinding: orders.isUnwinding,
  transactionHash: orders.transactionHash,
  filledContractMicros: orders.filledContractMicros,
  quoteUsdcMicros: orders.quoteUsdcMicros,
  feeUsdcMicros: orders.feeUsdcMicros,
  returnedUsdcMicros: orders.returnedUsdcMicros,
  returnedContractMicros: orders.returnedContractMicros,
} as const;

/** And of an order that rests, or is delivered in parts. */
const OF_RESTING = {
  orderType: orders.orderType,
  timeInForce: orders.timeInForce,
  limitPriceMicros: orders.limitPriceMicros,
  restingContractMicros: orders.restingContractMicros,
  deliveredContractMicros: orders.deliveredContractMicros,
  deliveredQuoteUsdcMicros: orders.deliveredQuoteUsdcMicros,
  deliveredFeeUsdcMicros: orders.deliveredFeeUsdcMicros,
  deliversAt: orders.deliversAt,
  amendPriceMicros: orders.amendPriceMicros,
  amendContractMicros: orders.amendContractMicros,
} as const;

const CHANGEABLE = { ...OF_ANY, ...OF_RESTING };

export type OrderChanges = Partial<Pick<typeof orders.$inferInsert, keyof typeof CHANGEABLE>>;

/**
 * The changes as separate columns, with the list of those to apply: merging a JSON object into a
 * row costs PostgreSQL more than writing the row.
 */
function changesTo(columns: Partial<typeof CHANGEABLE>): { given: SQL; set: SQL } {
  const all = Object.values(columns);
  const given = all.map((one) => `new_${one.name} ${one.getSQLType()}`);
  const set = all.map(
    ({ name }) =>
      `${name} = case when '${name}' = any(m.changed) then m.new_${name} else o.${name} end`,
  );
  return { given: sql.raw(['changed text[]', ...given].join(', ')), set: sql.raw(set.join(', ')) };
}

const CHANGES_OF_ANY = changesTo(OF_ANY);
const CHANGES_WITH_RESTING = changesTo(CHANGEABLE);

function changesIn(pending: readonly PendingTransition[]): { given: SQL; set: SQL } {
  const hasResting = pending.some(({ transition }) =>
    Object.keys(transition.set ?? {}).some((name) => name in OF_RESTING),
  );
  return hasResting ? CHANGES_WITH_RESTING : CHANGES_OF_ANY;
}

/**
 * Writes transitions of any number of orders in one statement: rows, events, operations, ledger
 * lines and exchange attempts. Each is applied atomically, and only under its own lease and at the
 * stage it was decided for. Rows are locked by ascending id: consistent lock order prevents
 * deadlocks.
 * @returns the rows that were written
 * @param options.leaveLocked skips rows that another transaction has locked
 */
export async function applyTransitions(
  db: Queryable,
  pending: readonly PendingTransition[],
  { leaveLocked = false } = {},
): Promise<Map<PendingTransition, OrderRow>> {
  const { given, set } = changesIn(pending);
  const parts = [
    sql`pending as (
      select * from jsonb_to_recordset(${jsonForRows(pending.map(describe))}::jsonb) as m (n int, id uuid,
        token uuid, stage text, unless_cancelled boolean, stamps text[], is_kept boolean,
        delay_ms int, seen_due_at timestamptz, ${given}))`,
    sql`held as materialized (
      select o.id, m.n from orders o join pending m on m.id = o.id
      where o.lease_token = m.token and (not o.is_complete or o.is_unwinding) and o.stage = m.stage
        and not (m.unless_cancelled and o.cancel_requested_at is not null)
      order by o.id for update of o ${leaveLocked ? sql`skip locked` : sql``})`,
    sql`applied as (
      update orders o set ${set},
        balance_validated_at = ${stamped('balance_validated_at')},
        txn_filled_at = ${stamped('txn_filled_at')},
        completed_at = ${stamped('completed_at')},
        resting_since = ${stamped('resting_since')},
        price_claimed_at = ${stamped('price_claimed_at')},
        triggered_at = ${stamped('triggered_at')},
        amend_stored_at = case when 'amend_price_micros' = any(m.changed) then null
          else ${stamped('amend_stored_at')} end,
        updated_at = now(), failures = 0,
        lease_token = case when m.is_kept then o.lease_token end,
        lease_until = case when m.is_kept then now() + ${LEASE_SECONDS} * interval '1 second' end,
        next_run_at = case when m.is_kept or o.next_run_at <> m.seen_due_at then o.next_run_at
          else now() + m.delay_ms * interval '1 millisecond' end
      from held h join pending m on m.n = h.n
      where o.id = h.id
      returning ${orderColumns('o')}, m.n)`,
    ...alongside(pending),
  ];
  const result = await db.execute<Record<string, unknown>>(
    sql`with ${sql.join(parts, sql`, `)} select n, ${orderColumns('applied')} from applied`,
  );
  return new Map(
    result.rows.flatMap((row) => {
      const one = pending[Number(row.n)];
      return one ? [[one, readOrderRow(row)] as const] : [];
    }),
  );
}

function describe({ lease, transition, seenDueAt }: PendingTransition, n: number) {
  const { next, set = {} } = transition;
  return {
    n,
    id: lease.orderId,
    token: lease.token,
    stage: transition.from,
    unless_cancelled: transition.unlessCancelled ?? false,
    stamps: (transition.stamp ?? []).map((name) => orders[name].name),
    is_kept: next.kind === 'continue',
    delay_ms: next.kind === 'park' ? Math.round(next.delayMs) : 0,
    seen_due_at: seenDueAt,
    ...columnsOf(set),
  };
}

function columnsOf(changes: OrderChanges): Record<string, unknown> {
  const changed = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [[CHANGEABLE[name as keyof OrderChanges].name, value] as const],
  );
  return {
    changed: changed.map(([name]) => name),
    ...Object.fromEntries(changed.map(([name, value]) => [`new_${name}`, value])),
  };
}

function stamped(column: string): SQL {
  return sql.raw(`case when '${column}' = any(m.stamps) then now() else o.${column} end`);
}

/** The inserts that accompany the rows, for applied transitions only. */
function alongside(pending: readonly PendingTransition[]): SQL[] {
  const from = <Item>(pick: (transition: Transition) => readonly Item[] | undefined) =>
    pending.flatMap(({ transition }, n) =>
      (pick(transition) ?? []).map((item) => ({ n, ...item })),
    );
  const applied = sql`applied`;
  const lines = from((one) =>
    one.postings?.flatMap((posting) =>
      posting.lines.map((line) => ({ posting: posting.name, ...line })),
    ),
  );
  const operations = from((one) => one.operations);
  const parts: [SQL, readonly object[], (items: SQL) => SQL][] = [
    [sql`logged`, from((one) => one.events), eventsInsert],
    [sql`queued`, withIds(operations), (items) => operationsInsert(applied, items)],
    [sql`posted`, withIds(lines), (items) => linesInsert(applied, items)],
    [sql`attempted`, from((one) => one.attempt && [one.attempt]), attemptsInsert],
    [sql`responded`, from((one) => one.response && [one.response]), responsesUpdate],
    [sql`filled`, from((one) => one.fills), fillsInsert],
  ];
  return parts.flatMap(([name, items, statement]) =>
    items.length === 0 ? [] : [sql`${name} as (${statement(sql`${jsonForRows(items)}::jsonb`)})`],
  );
}

/** Generated here: PostgreSQL makes a system call for each id. */
function withIds<Item extends object>(items: readonly Item[]): (Item & { id: string })[] {
  return items.map((item) => ({ ...item, id: randomUUID() }));
}

function eventsInsert(items: SQL): SQL {
  return sql`insert into order_events
      (account_id, order_id, status, type, detail, transaction_hash, contract_micros,
      quote_usdc_micros, fee_usdc_micros, at)
    select m.account_id, m.id, coalesce(e.item->>'status', m.status), e.item->>'type', e.item->>'detail',
      e.item->>'transactionHash', (e.item->>'contractMicros')::bigint,
      (e.item->>'quoteUsdcMicros')::bigint, (e.item->>'feeUsdcMicros')::bigint, now()
    from jsonb_array_elements(${items}) with ordinality as e (item, place)
    join applied m on m.n = (e.item->>'n')::int
    order by e.place`;
}

function attemptsInsert(items: SQL): SQL {
  return sql`insert into exchange_attempts (client_order_id, account_id, order_id, attempt,
      shard, purpose, limit_price_micros, contract_micros, state, code, exchange_order_id, filled_contract_micros,
      stored_at, responded_at)
    select a."clientOrderId", m.account_id, m.id, a.attempt, coalesce(a.shard, 0), coalesce(a.purpose, 'order'),
      a."limitPriceMicros",
      a."contractMicros", a.state, a.code, a."exchangeOrderId", a."filledContractMicros",
      coalesce(a."storedAt", now()), case when a.state <> 'stored' then now() end
    from jsonb_to_recordset(${items}) as a (n int, "clientOrderId" text, attempt int, shard int, purpose text,
      "limitPriceMicros" bigint, "contractMicros" bigint, state text, code text,
      "exchangeOrderId" text, "filledContractMicros" bigint, "storedAt" timestamptz)
    join applied m on m.n = a.n`;
}

function responsesUpdate(items: SQL): SQL {
  return sql`update exchange_attempts a set state = x.state,
      code = case when x.state <> 'stored' then coalesce(x.code, a.code) end,
      purpose = coalesce(x.purpose, a.purpose),
      stored_at = case when x.state = 'stored' then now() else a.stored_at end,
      exchange_order_id = coalesce(x."exchangeOrderId", a.exchange_order_id),
      filled_contract_micros = coalesce(x."filledContractMicros", a.filled_contract_micros),
      responded_at = case when x.state <> 'stored' then now() end
    from jsonb_to_recordset(${items}) as x (n int, "clientOrderId" text, "from" text, state text,
      code text, purpose text, "exchangeOrderId" text, "filledContractMicros" bigint)
    join applied m on m.n = x.n
    where a.client_order_id = x."clientOrderId" and a.state = x."from"`;
}

function fillsInsert(items: SQL): SQL {
  return sql`insert into exchange_fills (fill_id, account_id, order_id, client_order_id, ticker, side,
      trade_action, contract_micros, price_micros, fee_micros, filled_at)
    select f."fillId", m.account_id, m.id, f."clientOrderId", m.ticker, m.side,
      coalesce(f."tradeAction", m.trade_action),
      f."contractMicros", f."priceMicros", f."feeMicros", f.at
    from jsonb_to_recordset(${items}) as f (n int, "fillId" text, "clientOrderId" text,
      "tradeAction" text, "contractMicros" bigint, "priceMicros" bigint, "feeMicros" bigint,
      at timestamptz)
    join applied m on m.n = f.n
    on conflict do nothing`;
}
