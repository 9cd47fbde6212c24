import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { type LedgerLine, move } from '../ledger/ledger.ts';
import { linesOfEvent, withdrawalPosting } from '../orders/lifecycle/ledgerPostings.ts';
import { asTradeOrder } from '../orders/lifecycle/orderRow.ts';
import { findOrdersByIds } from '../orders/read/ownEvents.ts';

type EventRow = {
  order_id: string;
  kind: 'requested' | 'partially_filled' | 'filled' | 'refunded';
  filled: string | null;
  quote: string | null;
  filled_total: string | null;
  quote_total: string | null;
  returned: string | null;
  /** True: up to the block and not posted yet. False: later and already posted. */
  is_to_come: boolean;
};

/**
 * The difference between the ledger now and the chain at a block: adds events up to the block that
 * open orders have yet to post, and subtracts posted events beyond it.
 */
export async function readPending(tx: Queryable, blockNumber: bigint): Promise<LedgerLine[]> {
  return [
    ...(await pendingOfOrders(tx, blockNumber)),
    ...(await pendingOfWithdrawals(tx)),
    ...(await pendingOfSettlements(tx, blockNumber)),
  ];
}

async function pendingOfOrders(tx: Queryable, blockNumber: bigint): Promise<LedgerLine[]> {
  const { rows } = await tx.execute<EventRow>(sql`
    select * from (
      select o.id as order_id, e.kind, e.filled_contract_micros::text as filled,
        e.quote_usdc_micros::text as quote, e.filled_total_micros::text as filled_total,
        e.quote_total_micros::text as quote_total, e.returned_micros::text as returned,
        e.block_number <= ${blockNumber} as is_to_come, o.is_complete,
        exists (
          select 1 from ledger_entries l where l.order_id = o.id
          and l.posting = case e.kind when 'requested' then 'lock' when 'filled' then 'deliver'
            when 'partially_filled' then 'deliver-' || e.filled_total_micros else 'refund' end
        ) as is_booked
      from vault_events e join orders o on o.chain_order_id = e.chain_order_id
      where (not o.is_complete or e.block_number > ${blockNumber}) and e.kind <> 'end_requested'
    ) x where is_to_come <> is_booked and (not is_to_come or not is_complete)`);
  const orders = await findOrdersByIds(tx, [...new Set(rows.map((row) => row.order_id))]);
  return rows.flatMap((row) => {
    const order = orders.get(row.order_id);
    const event = {
      kind: row.kind,
      filledContractMicros: BigInt(row.filled ?? 0),
      quoteUsdcMicros: BigInt(row.quote ?? 0),
      filledTotalMicros: row.filled_total === null ? null : BigInt(row.filled_total),
      quoteTotalMicros: row.quote_total === null ? null : BigInt(row.quote_total),
      returnedMicros: BigInt(row.returned ?? 0),
    };
    return order ? signed(row.is_to_come, linesOfEvent(asTradeOrder(order), event)) : [];
  });
}

/** Withdrawals on chain that are not posted, and posted ones that the reader has not reached. */
async function pendingOfWithdrawals(tx: Queryable): Promise<LedgerLine[]> {
  const { rows } = await tx.execute<{ id: string; is_to_come: boolean }>(sql`
    select w.order_id as id, true as is_to_come from withdrawal_events w
      join orders o on o.id = w.order_id where not o.is_complete
    union all
    select o.id, false from orders o
      where o.kind = 'withdrawal' and o.status = 'completed'
      and o.completed_at > now() - interval '1 hour'
      and not exists (select 1 from withdrawal_events w where w.order_id = o.id)`);
  const ids = rows.map((row) => row.id);
  const orders = await findOrdersByIds(tx, ids);
  return rows.flatMap((row) => {
    const order = orders.get(row.id);
    return order ? signed(row.is_to_come, withdrawalPosting(order).lines) : [];
  });
}

/** Collateral that the vault has set aside for a market and that is not posted, or the reverse. */
async function pendingOfSettlements(tx: Queryable, blockNumber: bigint): Promise<LedgerLine[]> {
  const { rows } = await tx.execute<{ amount: string; is_to_come: boolean }>(sql`
    select amount, is_to_come from (
      select e.collateral_usdc_micros::text as amount, e.block_number <= ${blockNumber} as is_to_come,
        exists (
          select 1 from market_settlements s join ledger_entries l on l.order_id = s.id
          where s.market_key = e.market_key and l.posting = 'collateral'
        ) as is_booked
      from settlement_events e where e.kind = 'finalized' and e.collateral_usdc_micros > 0
    ) x where is_to_come <> is_booked`);
  return rows.flatMap((row) =>
    signed(row.is_to_come, move('usdc', 'house', 'collateral', BigInt(row.amount))),
  );
}

function signed(isToCome: boolean, lines: LedgerLine[]): LedgerLine[] {
  if (isToCome) return lines;
  return lines.map((line) => ({ ...line, amountMicros: -line.amountMicros }));
}
