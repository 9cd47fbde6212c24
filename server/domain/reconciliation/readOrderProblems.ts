import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import type { OrderProblem } from './readBooks.ts';

/** How long after expiry an order may stay open: refunds need their own transactions. */
const STUCK_AFTER_SECONDS = 240;
/** The same for withdrawals, which have no expiry. */
const WITHDRAWAL_STUCK_AFTER_SECONDS = 900;
/** Room is reserved right before the order is sent to the exchange. */
const UNUSED_ROOM_SECONDS = 60;

type Row = { id: string; ticker: string | null; expected: string; actual: string; what: string };

/**
 * Completed orders must have one vault fill with the row's amounts, and a matching posting; orders
 * that are delivered in parts, one end and their parts.
 */
const WRONG_FILLS = sql`
  select id, ticker, coalesce(expected, 0)::text as expected, coalesce(actual, 0)::text as actual, what
  from (
    select o.id, o.ticker, v.expected, v.actual, v.what
    from orders o
    left join lateral (
      select count(*) filter (where e.kind = 'filled'
          or e.kind = 'refunded' and o.time_in_force in ('GTC', 'GTD')) as times,
        sum(e.filled_contract_micros) as filled, sum(e.quote_usdc_micros) as quote
      from vault_events e where e.chain_order_id = o.chain_order_id
        and e.kind in ('filled', 'partially_filled', 'refunded')
    ) e on true
    left join lateral (
      select coalesce(sum(l.amount_micros) filter (
          where l.account = 'house' and l.asset = 'usdc'), 0) as house,
        coalesce(sum(l.amount_micros) filter (
          where l.account = 'treasury' and l.asset <> 'usdc'), 0) as issued
      from ledger_entries l where l.order_id = o.id
        and (l.posting = 'deliver' or l.posting like 'deliver-%')
    ) l on true
    cross join lateral (values
      (1::numeric, e.times::numeric, 'times the vault filled the order'),
      (o.filled_contract_micros, e.filled, 'contracts filled: row and vault event'),
      (o.quote_usdc_micros, e.quote, 'USDC charged or paid: row and vault event'),
      (case o.trade_action when 'buy' then e.quote else -e.quote end, l.house,
        'USDC charged or paid: vault event and ledger'),
      (case o.trade_action when 'buy' then -e.filled else e.filled end, l.issued,
        'tokens issued or burnt: vault event and ledger')
    ) v(expected, actual, what)
    where o.status = 'completed' and o.chain_order_id is not null
  ) x where coalesce(expected, 0) <> coalesce(actual, 0)`;

/** Failed orders with locked funds must have exactly one full refund. */
const WRONG_REFUNDS = sql`
  select id, ticker, coalesce(expected, 0)::text as expected, coalesce(actual, 0)::text as actual, what
  from (
    select o.id, o.ticker, v.expected, v.actual, v.what
    from orders o
    left join lateral (
      select count(*) as times, sum(e.returned_micros) as returned
      from vault_events e where e.chain_order_id = o.chain_order_id and e.kind = 'refunded'
    ) e on true
    left join lateral (
      select sum(-l.amount_micros) as returned from ledger_entries l
      where l.order_id = o.id and l.posting = 'refund' and l.account = 'escrow'
    ) l on true
    cross join lateral (values
      (1::numeric, e.times::numeric, 'times the vault returned the input'),
      (case o.trade_action when 'buy' then o.quote_limit_usdc_micros else o.contract_micros end,
        e.returned, 'input locked and returned'),
      (e.returned, l.returned, 'input returned: vault event and ledger')
    ) v(expected, actual, what)
    where o.status = 'failed' and o.chain_order_id is not null
      and exists (select 1 from ledger_entries k where k.order_id = o.id and k.posting = 'lock')
  ) x where coalesce(expected, 0) <> coalesce(actual, 0)`;

/** Ended orders whose funds were locked without a posting. */
const UNPOSTED_LOCKS = sql`
  select o.id, o.ticker, '1' as expected, '0' as actual,
    'funds were locked on chain, and the books have no lock' as what
  from orders o
  where o.is_complete and o.balance_validated_at is not null and o.chain_order_id is not null
    and not exists (select 1 from ledger_entries l where l.order_id = o.id and l.posting = 'lock')
    and exists (select 1 from vault_events e
      where e.chain_order_id = o.chain_order_id and e.kind = 'requested')`;

/** The exchange must have filled the row's quantity under one client order id. */
const WRONG_EXCHANGE_FILLS = sql`
  select id, ticker, coalesce(expected, 0)::text as expected, coalesce(actual, 0)::text as actual, what
  from (
    select o.id, o.ticker, v.expected, v.actual, v.what
    from orders o
    join lateral (
      select sum(f.contract_micros) as filled, count(distinct f.client_order_id) as ids
      from exchange_fills f where f.order_id = o.id and not exists (select 1
        from exchange_attempts p where p.client_order_id = f.client_order_id and p.purpose <> 'order')
    ) f on f.ids > 0 or o.status = 'completed'
    left join lateral (
      select sum(a.filled_contract_micros) as filled, count(*) filter (
        where a.filled_contract_micros > 0) as times
      from exchange_attempts a
      where a.order_id = o.id and a.state = 'done' and a.purpose = 'order'
    ) a on true
    cross join lateral (values
      (1::numeric, f.ids::numeric, 'client order ids that were filled'),
      (1::numeric, a.times::numeric, 'attempts that were filled'),
      (a.filled, f.filled, 'contracts filled: answer of the exchange and its fills'),
      (case when o.status = 'completed' then o.filled_contract_micros else f.filled end,
        f.filled, 'contracts filled: row and fills')
    ) v(expected, actual, what)
    where o.chain_order_id is not null and o.stage not in ('request', 'trigger', 'place', 'rest')
      -- The house has the rest of an order that ended before its last part.
      and not (o.time_in_force in ('GTC', 'GTD') and exists (select 1 from exchange_attempts p
        where p.order_id = o.id and p.purpose = 'found'))
  ) x where coalesce(expected, 0) <> coalesce(actual, 0)`;

/** What a resting order has filled, and delivered, by its row must equal its fills and logs. */
const WRONG_RESTING = sql`
  select id, ticker, coalesce(expected, 0)::text as expected, coalesce(actual, 0)::text as actual, what
  from (
    select o.id, o.ticker, v.expected, v.actual, v.what
    from orders o
    left join lateral (
      select sum(f.contract_micros) as filled from exchange_fills f where f.order_id = o.id
    ) f on true
    left join lateral (
      select sum(-l.amount_micros) as delivered from ledger_entries l
      where l.order_id = o.id and l.posting like 'deliver-%'
        and l.account = case o.trade_action when 'buy' then 'treasury' else 'escrow' end
        and l.asset <> 'usdc'
    ) l on true
    cross join lateral (values
      (o.filled_contract_micros::numeric, f.filled, 'contracts filled: row and fills'),
      (o.delivered_contract_micros::numeric, l.delivered, 'contracts delivered: row and ledger')
    ) v(expected, actual, what)
    where o.stage = 'rest' and not o.is_complete
  ) x where coalesce(expected, 0) <> coalesce(actual, 0)`;

/** The postings must equal the cost or proceeds of the fills, fee included. */
const WRONG_TRADE_POSTINGS = sql`
  select id, ticker, expected::text, actual::text, what from (
    select f.order_id as id, f.ticker, f.cash as expected, coalesce(l.cash, 0) as actual,
      'USDC at the exchange: fills with their fees, and ledger' as what
    from (
      select order_id, ticker, sum(case trade_action
        when 'buy' then -(ceil(contract_micros::numeric * price_micros / 1000000) + fee_micros)
        else floor(contract_micros::numeric * price_micros / 1000000) - fee_micros end) as cash
      from exchange_fills group by order_id, ticker
    ) f left join (
      select order_id, sum(amount_micros) as cash from ledger_entries
      where (posting = 'trade' or posting ~ '^(trade|found|unwind)-') and account = 'treasury'
        and asset = 'usdc' group by order_id
    ) l on l.order_id = f.order_id
  ) x where expected <> actual`;

/**
 * Orders sent to the exchange without room, except those recovered after a restore; and room held
 * by an order that is not sent.
 */
const WRONG_ROOM = sql`
  select id, ticker, case when asked then usdc else 0 end::text as expected,
    case when asked then 0 else usdc end::text as actual,
    case when asked then 'USDC of room for an order that the exchange was asked for'
      else 'USDC of room for an order that the exchange was not asked for' end as what
  from (
    select o.id, o.ticker, o.status = 'executing' as asked, o.room_reserved_at,
      case o.trade_action when 'buy' then o.quote_limit_usdc_micros else o.contract_micros end as usdc
    from orders o
    where not o.is_complete and o.stage in ('request', 'place', 'deliver') and not o.is_redemption
      and coalesce(o.time_in_force not in ('GTC', 'GTD'), true)
  ) x where case when asked then room_reserved_at is null and not exists (
      select 1 from exchange_attempts a where a.order_id = x.id and a.code = 'found_after_restore')
    else room_reserved_at < now() - ${UNUSED_ROOM_SECONDS} * interval '1 second' end`;

const STUCK = sql`
  select id, ticker, '0' as expected, '1' as actual, 'open in stage ' || stage || ' after ' || failures || ' failures' as what
  from orders where not is_complete and (
    expires_at < now() - ${STUCK_AFTER_SECONDS} * interval '1 second'
    or (expires_at is null
      and created_at < now() - ${WITHDRAWAL_STUCK_AFTER_SECONDS} * interval '1 second'))`;

/** Of each kind: after a loss of data there may be as many as orders, and an admin needs the first. */
const MOST_PROBLEMS = 1_000;

/** Orders whose row, fills, attempts, vault events and ledger contradict each other. */
export async function readOrderProblems(tx: Queryable): Promise<OrderProblem[]> {
  const queries: [OrderProblem['kind'], SQL][] = [
    ['order_amounts', WRONG_FILLS],
    ['order_amounts', WRONG_REFUNDS],
    ['order_amounts', UNPOSTED_LOCKS],
    ['order_fills', WRONG_EXCHANGE_FILLS],
    ['order_fills', WRONG_RESTING],
    ['order_fills', WRONG_TRADE_POSTINGS],
    ['order_room', WRONG_ROOM],
    ['order_stuck', STUCK],
  ];
  const problems: OrderProblem[] = [];
  for (const [kind, query] of queries) {
    const { rows } = await tx.execute<Row>(sql`${query} order by id limit ${MOST_PROBLEMS}`);
    for (const { id: orderId, ticker, expected, actual, what: explanation } of rows) {
      const amounts = { expectedMicros: BigInt(expected), actualMicros: BigInt(actual) };
      problems.push({ kind, orderId, ticker, ...amounts, explanation });
    }
  }
  return problems;
}
