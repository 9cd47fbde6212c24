import { type SQL, sql } from 'drizzle-orm';
import { type Address, zeroAddress } from 'viem';
import {
  blockTimes,
  chainOperations,
  chainTransactions,
  tokenTransfers,
  vaultEvents,
} from '../../platform/database/schema/chain.ts';
import { orders } from '../../platform/database/schema/orders.ts';
import { pairMerges, redemptions } from '../../platform/database/schema/settlement.ts';
import {
  usdcAccounts,
  usdcTransfers,
  withdrawalEvents,
} from '../../platform/database/schema/transfers.ts';
import { isUnclaimed } from '../../platform/database/schema/unclaimedOrder.ts';
import { type Viewer, visibleTo } from '../orders/read/readOrders.ts';

/** The smart account, and all addresses whose tokens count as its own. */
export type Subject = {
  account: Address;
  holders: readonly Address[];
  vault: Address;
  settlement: Address;
  /** Older items are not needed, but may be returned. */
  since: Date | undefined;
};

/**
 * Selects every item of an account as one row, each once: an order's transfers belong to the order,
 * the settlement's payment for its tokens is a redemption, the dollars of pairs are a merge, and the
 * remaining transfers are items of their own. All selects have the same columns in this order: key, place, kind, at, order_id,
 * ticker, side, token_id, market_key, outcome, contract_micros, usdc_micros, transaction_hash,
 * status, source, reason, fee_micros.
 */
export function allActivity(subject: Subject, viewer: Viewer): SQL {
  return sql.join(
    [
      trades(subject, viewer),
      withdrawals(subject, viewer),
      redeemed(subject),
      merged(subject),
      moneyTransfers(subject),
      contractTransfers(subject),
      opening(subject),
    ],
    sql` union all `,
  );
}

/** Completed redemptions come from the settlement's log, which includes those sent by others. */
function trades({ account, since }: Subject, viewer: Viewer): SQL {
  return sql`
    select 'order:' || orders.id as key, ${placeOf('f')} as place,
      case when orders.is_redemption then 'redeem' else orders.trade_action end as kind,
      case when orders.status = 'completed' then coalesce(b.at, orders.completed_at)
        else orders.created_at end as at,
      ${idFor(viewer)} as order_id, orders.ticker as ticker, orders.side as side,
      null as token_id, null as market_key, null::int as outcome,
      case when orders.status = 'completed' then orders.filled_contract_micros
        when orders.delivered_contract_micros > 0 then orders.delivered_contract_micros
        else orders.contract_micros end as contract_micros,
      case when orders.status = 'completed' or orders.delivered_contract_micros > 0 then
        case orders.trade_action when 'buy' then -${paidOrDelivered}
          else ${paidOrDelivered} end end as usdc_micros,
      coalesce(f.transaction_hash, orders.transaction_hash) as transaction_hash,
      orders.status as status, ${sourceOf} as source, ${reasonOf} as reason,
      ${feeFor(viewer)} as fee_micros
    from ${orders}
    left join lateral (
      select e.transaction_hash, e.block_number, e.log_index from ${vaultEvents} e
      where e.chain_order_id = orders.chain_order_id
        and e.kind in ('filled', 'partially_filled')
      order by e.block_number desc limit 1) f on true
    left join ${blockTimes} b on b.block_number = f.block_number
    where orders.account_id = ${account} and orders.kind <> 'withdrawal'
      and not (orders.is_redemption and orders.status = 'completed')
      and ${endedAfter(since)} and ${shownTo(viewer)}`;
}

function withdrawals({ account, since }: Subject, viewer: Viewer): SQL {
  return sql`
    select 'order:' || orders.id, ${placeOf('w', 'without index')}, 'withdrawal',
      case when orders.status = 'completed' then coalesce(b.at, orders.completed_at)
        else orders.created_at end,
      ${idFor(viewer)}, orders.ticker, orders.side, null, null, null::int,
      case when orders.withdraw_token_id is not null then orders.withdraw_micros end,
      case when orders.withdraw_token_id is null then -orders.withdraw_micros end,
      coalesce(w.transaction_hash, orders.transaction_hash), orders.status, ${sourceOf},
      ${reasonOf}, null::bigint
    from ${orders}
    left join ${withdrawalEvents} w on w.order_id = orders.id
    left join ${blockTimes} b on b.block_number = w.block_number
    where orders.account_id = ${account} and orders.kind = 'withdrawal'
      and ${endedAfter(since)} and ${shownTo(viewer)}`;
}

function redeemed({ holders }: Subject): SQL {
  return sql`
    select 'redemption:' || r.transaction_hash || ':' || r.log_index, ${placeOf('r')},
      'redeem', coalesce(b.at, r.seen_at), null::uuid, null, null, null, r.market_key, r.outcome,
      r.contract_micros, r.payout_usdc_micros, r.transaction_hash, 'completed', null, null, null::bigint
    from ${redemptions} r
    left join ${blockTimes} b on b.block_number = r.block_number
    where r.holder = any(${list(holders)})`;
}

/** Of both sides: a merge has no side of its own. */
function merged({ holders }: Subject): SQL {
  return sql`
    select 'merge:' || m.transaction_hash || ':' || m.log_index, ${placeOf('m')},
      'merge', b.at, null::uuid, null, null, null, m.market_key, null::int,
      m.contract_micros, m.contract_micros, m.transaction_hash, 'completed', null, null, null::bigint
    from ${pairMerges} m
    join ${blockTimes} b on b.block_number = m.block_number
    where m.holder = any(${list(holders)})`;
}

/** Transfers before the account is followed are in its opening balance. */
function moneyTransfers({ account, vault, settlement }: Subject): SQL {
  return sql`
    select 'usdc:' || t.transaction_hash || ':' || t.log_index, ${placeOf('t')},
      case when t.to_address = ${account} then 'deposit' else 'withdrawal' end,
      b.at, null::uuid, null, null, null, null, null::int, null::bigint,
      case when t.to_address = ${account} then t.usdc_micros else -t.usdc_micros end,
      t.transaction_hash, 'completed', null, null, null::bigint
    from ${usdcTransfers} t
    join ${usdcAccounts} a on a.address = ${account} and t.block_number > a.opened_at_block
    join ${blockTimes} b on b.block_number = t.block_number
    where (t.from_address = ${account} or t.to_address = ${account})
      and t.from_address <> t.to_address and t.usdc_micros > 0
      and not exists (${ownEvents(account)} and case e.kind
        when 'requested' then o.trade_action = 'buy' and t.to_address = ${vault}
          and t.usdc_micros = o.quote_limit_usdc_micros
        when 'partially_filled' then o.trade_action = 'sell' and t.from_address = ${vault}
          and t.usdc_micros = e.quote_usdc_micros
        when 'filled' then t.from_address = ${vault} and t.usdc_micros =
          case o.trade_action when 'buy' then e.returned_micros else e.quote_usdc_micros end
        else o.trade_action = 'buy' and t.from_address = ${vault}
          and t.usdc_micros = e.returned_micros end)
      and not exists (select 1 from ${redemptions} r
        where r.transaction_hash = t.transaction_hash and r.holder = t.to_address
          and t.from_address = ${settlement} and r.payout_usdc_micros = t.usdc_micros)
      and not exists (${mergesOf(sql`t.to_address`)} and m.contract_micros = t.usdc_micros
        and (t.from_address = ${vault}) <> m.by_treasury)
      and not exists (${ownWithdrawals(account)} and o.withdraw_token_id is null
        and o.withdraw_micros = t.usdc_micros)`;
}

function contractTransfers({ account, holders, vault }: Subject): SQL {
  const held = list(holders);
  return sql`
    select 'token:' || t.transaction_hash || ':' || t.log_index || ':' || t.batch_index,
      ${placeOf('t')},
      case when t.from_address = ${account}
          or (t.from_address = any(${held}) and t.to_address <> ${account})
        then 'transfer_out' else 'transfer_in' end,
      b.at, null::uuid, null, null, t.token_id, null, null::int, t.contract_micros, null::bigint,
      t.transaction_hash, 'completed', null, null, null::bigint
    from ${tokenTransfers} t
    join ${blockTimes} b on b.block_number = t.block_number
    where (t.from_address = any(${held}) or t.to_address = any(${held}))
      and t.from_address <> t.to_address and t.contract_micros > 0
      and not exists (${ownEvents(account)} and case e.kind
        when 'requested' then o.trade_action = 'sell' and t.to_address = ${vault}
          and t.contract_micros = o.contract_micros
        when 'partially_filled' then o.trade_action = 'buy' and t.from_address = ${zeroAddress}
          and t.contract_micros = e.filled_contract_micros
        when 'filled' then case o.trade_action
          when 'buy' then t.from_address = ${zeroAddress}
            and t.contract_micros = e.filled_contract_micros
          else t.from_address = ${vault} and t.contract_micros = e.returned_micros end
        else o.trade_action = 'sell' and t.from_address = ${vault}
          and t.contract_micros = e.returned_micros end)
      and not exists (select 1 from ${redemptions} r
        where r.transaction_hash = t.transaction_hash and r.holder = t.from_address
          and t.to_address = ${zeroAddress} and r.contract_micros = t.contract_micros)
      and not exists (${mergesOf(sql`t.from_address`)} and m.contract_micros = t.contract_micros
        and t.to_address = ${zeroAddress})
      and not exists (${ownWithdrawals(account)} and o.withdraw_token_id is not null
        and o.withdraw_micros = t.contract_micros)`;
}

/**
 * The account's balance when the ledger began to follow it, less the effect of the items above up
 * to then: it may trade some blocks before it is followed.
 */
function opening({ account }: Subject): SQL {
  return sql`
    select 'opening:' || account, '', case when micros > 0 then 'deposit' else 'withdrawal' end, at,
      null::uuid, null, null, null, null, null::int, null::bigint, micros, null, 'completed',
      null, null, null::bigint
    from (
      select a.address as account,
        -- A block's time is in whole seconds: what is in it may seem older than its order.
        least(b.at, (select date_trunc('second', min(o.created_at)) from ${orders} o
          where o.account_id = a.address and not ${isUnclaimed('o')})) as at,
        (a.opening_usdc_micros - ${tradedBefore} - ${redeemedBefore} - ${mergedBefore}
          + ${withdrawnBefore})::bigint as micros
      from ${usdcAccounts} a
      join ${blockTimes} b on b.block_number = a.opened_at_block
      where a.address = ${account}) as opened
    where micros <> 0`;
}

/** USDC that orders of account `a` had paid out, less what they had locked, at its opening. */
const tradedBefore = sql`(
  select coalesce(sum(case
    when e.kind = 'requested' and o.trade_action = 'buy' then -o.quote_limit_usdc_micros
    when e.kind in ('filled', 'refunded') and o.trade_action = 'buy' then e.returned_micros
    when e.kind in ('filled', 'partially_filled') and o.receiver_address = a.address
      then e.quote_usdc_micros end), 0)
  from ${vaultEvents} e join ${orders} o on o.chain_order_id = e.chain_order_id
  where o.account_id = a.address and e.block_number <= a.opened_at_block)`;

const redeemedBefore = sql`(
  select coalesce(sum(r.payout_usdc_micros), 0) from ${redemptions} r
  where r.holder = a.address and r.block_number <= a.opened_at_block)`;

const mergedBefore = sql`(
  select coalesce(sum(m.contract_micros), 0) from ${pairMerges} m
  where m.holder = a.address and m.block_number <= a.opened_at_block)`;

/** By our own transactions: the account's log is read only once it is followed. */
const withdrawnBefore = sql`(
  select coalesce(sum(o.withdraw_micros), 0)
  from ${orders} o
  join ${chainOperations} p on p.order_id = o.id and p.kind = 'withdraw' and p.state = 'succeeded'
  join ${chainTransactions} c on c.id = p.transaction_id
  where o.account_id = a.address and o.kind = 'withdrawal' and o.status = 'completed'
    and o.withdraw_token_id is null and c.block_number <= a.opened_at_block)`;

/** The position on the chain as sortable text, since several blocks may share one time. */
function placeOf(table: string, kind: 'with index' | 'without index' = 'with index'): SQL {
  const block = sql.raw(`${table}.block_number`);
  const index = kind === 'with index' ? sql.raw(`${table}.log_index`) : sql`0`;
  return sql`coalesce(lpad(${block}::text, 15, '0') || '-' || lpad(${index}::text, 9, '0'), '')`;
}

/** Merges in the transaction of transfer `t`. */
function mergesOf(holder: SQL): SQL {
  return sql`select 1 from ${pairMerges} m
    where m.transaction_hash = t.transaction_hash and m.holder = ${holder}`;
}

/** The vault's logs about orders of the account in the transaction of transfer `t`. */
function ownEvents(account: Address): SQL {
  return sql`select 1 from ${vaultEvents} e join ${orders} o on o.chain_order_id = e.chain_order_id
    where e.transaction_hash = t.transaction_hash and o.account_id = ${account}`;
}

/** Withdrawals of the account in the transaction of transfer `t`, to the transfer's receiver. */
function ownWithdrawals(account: Address): SQL {
  return sql`select 1 from ${withdrawalEvents} w join ${orders} o on o.id = w.order_id
    where w.transaction_hash = t.transaction_hash and w.account_address = ${account}
      and t.from_address = ${account} and t.to_address = o.destination_address`;
}

/**
 * Avoids chain lookups for items that are too old. The hour allows for clock differences: an order
 * completes after its block.
 */
function endedAfter(since: Date | undefined): SQL {
  if (!since) return sql`true`;
  return sql`coalesce(orders.completed_at, orders.created_at)
    >= ${since.toISOString()}::timestamptz - interval '1 hour'`;
}

/** Completed items are public on chain; only the viewer's own others are included. */
function shownTo(viewer: Viewer): SQL {
  return sql`((orders.status = 'completed' or ${visibleTo(viewer)}) and not ${isUnclaimed()})`;
}

/** Of an order that is delivered in parts, what has been delivered so far. */
const paidOrDelivered = sql`case when orders.status = 'completed' then orders.quote_usdc_micros
  else orders.delivered_quote_usdc_micros end`;

/** How the order is executed; omitted once it is completed, when others see the item too. */
const sourceOf = sql`case when orders.status <> 'completed' then
  case orders.kind when 'calldata' then 'calldata' else 'api' end end`;

const reasonOf = sql`case when orders.status = 'failed' then orders.termination_reason end`;

function idFor(viewer: Viewer): SQL {
  return sql`case when ${visibleTo(viewer)} then orders.id end`;
}

/** Not on chain, so only the viewer's own. */
function feeFor(viewer: Viewer): SQL {
  return sql`case when orders.status = 'completed' and not orders.is_redemption
    and ${visibleTo(viewer)} then orders.fee_usdc_micros end`;
}

function list(addresses: readonly Address[]): SQL {
  return sql`${sql.param([...addresses])}::text[]`;
}
