import { and, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { orphanedRequests } from '#server/platform/database/schema/chain.ts';
import { type OrderStage, orders } from '#server/platform/database/schema/orders.ts';
import { type LedgerPosting, removePostingsOf } from '../../ledger/ledger.ts';
import { restsSql } from './orderRow.ts';
import { appendEvents } from './transition.ts';

type TouchedOrders = {
  ids: readonly string[];
  chainOrderIds: readonly string[];
  /** Accounts whose redemptions have changed: redemption logs carry no order id. */
  redeemers: readonly string[];
};

/** An order state that depends on a chain log, and the stage to return to without that log. */
type Rule = {
  /** Matches orders in the state without a log for it. */
  isUnfounded: SQL;
  stage: OrderStage;
  posting?: LedgerPosting['name'];
  also?: LedgerPosting['name'];
};

const RULES: readonly Rule[] = [
  {
    // Of an order that was delivered in parts: its end, or any of its parts.
    isUnfounded: sql`${orders.status} = 'completed' and ${isTrade()} and ${restsSql('orders')}
      and (not (${isLogged('filled')} or ${isLogged('refunded')}) or ${lacksPart()})`,
    stage: 'rest',
    posting: 'deliver',
    also: 'refund',
  },
  {
    isUnfounded: sql`${orders.status} = 'completed' and ${isTrade()}
      and not ${restsSql('orders')} and not ${isLogged('filled')}`,
    stage: 'deliver',
    posting: 'deliver',
  },
  {
    isUnfounded: sql`${orders.status} = 'failed' and ${isTrade()} and ${hasPosting('refund')}
      and not ${isLogged('refunded')}`,
    stage: 'refund',
    posting: 'refund',
  },
  {
    // The order ended because its lock was lost, but the lock exists after all.
    isUnfounded: sql`${orders.status} = 'failed' and ${isTrade()}
      and ${orders.balanceValidatedAt} is not null and not ${hasPosting('lock')}
      and ${isLogged('requested')} and not ${isLogged('refunded')}`,
    stage: 'refund',
  },
  {
    isUnfounded: sql`${orders.status} = 'completed' and ${orders.isRedemption}
      and not exists (select 1 from redemptions r
        where r.transaction_hash = ${orders.transactionHash} and r.holder = ${orders.accountId})`,
    stage: 'redeem',
  },
  {
    isUnfounded: sql`${orders.status} = 'completed' and ${orders.kind} = 'withdrawal'
      and not exists (select 1 from withdrawal_events w where w.order_id = ${orders.id})
      and not ${hasOperation('withdraw', 'succeeded')}`,
    stage: 'withdraw',
    posting: 'withdraw',
  },
  {
    isUnfounded: sql`${orders.status} = 'failed' and ${orders.kind} = 'withdrawal'
      and ${hasOperation('withdraw', 'sent')}`,
    stage: 'withdraw',
  },
  {
    isUnfounded: sql`${orders.status} = 'failed' and ${orders.isRedemption}
      and ${hasOperation('redeem', 'sent')}`,
    stage: 'redeem',
  },
];

/**
 * Reverts every state of these orders that no chain log supports: the order reopens at the
 * preceding stage and its ledger postings are removed. The step then decides from the current
 * chain. Must run after the change of the logs, in the same transaction.
 * @param touched the orders whose logs have changed; without it all orders are checked
 * @returns the orders to process now
 */
export async function revertOrders(tx: Queryable, touched?: TouchedOrders): Promise<string[]> {
  const isTouched = touched && touchedBy(touched);
  if (touched && !isTouched) return [];
  const interrupted = isTouched ? await interruptSteps(tx, isTouched) : [];
  await removeUnfoundedLocks(tx, isTouched);
  const lackingParts = await removeUnfoundedParts(tx, isTouched);
  const reopened: string[] = [];
  for (const { isUnfounded, stage, posting, also } of RULES) {
    // Without a part, the last delivery may have moved something else.
    const isLacking = also && lackingParts.length > 0 && isOneOf(orders.id, lackingParts);
    const which = isLacking
      ? or(and(eq(orders.status, 'completed'), isLacking), isUnfounded)
      : isUnfounded;
    const rows = await reopen(tx, stage, and(isTouched, eq(orders.isComplete, true), which));
    const ids = rows.map((row) => row.id);
    if (posting) await removePostingsOf(tx, ids, posting);
    if (also) await removePostingsOf(tx, ids, also);
    for (const row of rows) await appendEvents(tx, row, [{ type: 'reopened', detail: stage }]);
    reopened.push(...ids);
  }
  await recountParts(tx, lackingParts);
  return [...interrupted, ...reopened];
}

function touchedBy({ ids, chainOrderIds, redeemers }: TouchedOrders): SQL | undefined {
  return or(
    ids.length > 0 ? isOneOf(orders.id, ids) : undefined,
    chainOrderIds.length > 0 ? isOneOf(orders.chainOrderId, chainOrderIds) : undefined,
    redeemers.length > 0
      ? and(orders.isRedemption, isOneOf(orders.accountId, redeemers))
      : undefined,
  );
}

/**
 * A running step has read logs that may be gone. Without its lease it cannot write a decision based
 * on them.
 */
async function interruptSteps(tx: Queryable, isTouched: SQL): Promise<string[]> {
  const rows = await tx
    .update(orders)
    .set({ leaseToken: null, leaseUntil: null, nextRunAt: sql`now()` })
    .where(and(isTouched, eq(orders.isComplete, false)))
    .returning({ id: orders.id });
  return rows.map((row) => row.id);
}

/**
 * The lock is posted again together with the posting that ends it. While logs are read again, those
 * of a receipt come before those of earlier blocks: any log of an order proves that it was locked.
 */
async function removeUnfoundedLocks(tx: Queryable, isTouched: SQL | undefined): Promise<void> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        isTouched,
        isNotNull(orders.balanceValidatedAt),
        sql`${isTrade()} and ${hasPosting('lock')} and not ${isLogged()}`,
      ),
    );
  const ids = rows.map((row) => row.id);
  await removePostingsOf(tx, ids, 'lock');
}

/** Parts whose logs are gone, by their postings. @returns their orders */
async function removeUnfoundedParts(
  tx: Queryable,
  isTouched: SQL | undefined,
): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ id: string; posting: LedgerPosting['name'] }>(sql`
    select distinct ${orders.id}, l.posting
    from ${orders} join ledger_entries l on l.order_id = ${orders.id}
    where ${isTouched ?? sql`true`} and ${restsSql('orders')} and l.posting like 'deliver-%'
      and not exists (select 1 from vault_events e
        where e.chain_order_id = ${orders.chainOrderId} and e.kind = 'partially_filled'
          and l.posting = 'deliver-' || e.filled_total_micros)`);
  for (const { id, posting } of rows) {
    await removePostingsOf(tx, [id], posting);
  }
  return rows.map((row) => row.id);
}

/** After completed orders were found by what their rows say is delivered. */
async function recountParts(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const total = (column: 'filled_total_micros' | 'quote_total_micros') =>
    sql`coalesce((select max(${sql.raw(column)}) from vault_events e
      where e.chain_order_id = ${orders.chainOrderId} and e.kind = 'partially_filled'), 0)`;
  await tx
    .update(orders)
    .set({
      deliveredContractMicros: total('filled_total_micros'),
      deliveredQuoteUsdcMicros: total('quote_total_micros'),
      deliveredFeeUsdcMicros: sql`least(coalesce(${orders.deliveredFeeUsdcMicros}, 0),
        ${total('quote_total_micros')})`,
    })
    .where(and(isOneOf(orders.id, ids), eq(orders.isComplete, false)));
}

async function reopen(tx: Queryable, stage: OrderStage, which: SQL | undefined) {
  return await tx
    .update(orders)
    .set({
      status: 'executing',
      stage,
      isComplete: false,
      isUnwinding: false,
      endingReason: sql`coalesce(${orders.endingReason}, ${orders.terminationReason})`,
      terminationReason: null,
      transactionHash: null,
      completedAt: null,
      txnFilledAt: sql`case when ${isTrade()} then ${orders.txnFilledAt} end`,
      leaseToken: null,
      leaseUntil: null,
      nextRunAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(which)
    .returning();
}

function isTrade(): SQL {
  return sql`(${orders.chainOrderId} is not null and not ${orders.isRedemption})`;
}

/** Whether the parts in the logs are fewer than the order's record says. */
function lacksPart(): SQL {
  return sql`coalesce((select max(e.filled_total_micros) from vault_events e
    where e.chain_order_id = ${orders.chainOrderId} and e.kind in ('partially_filled', 'filled')), 0)
    < coalesce(${orders.deliveredContractMicros}, 0)`;
}

/** Whether the vault has logged this about the order, or anything. */
function isLogged(kind?: 'requested' | 'filled' | 'refunded'): SQL {
  return sql`exists (select 1 from vault_events e where e.chain_order_id = ${orders.chainOrderId}
    ${kind === undefined ? sql`` : sql`and e.kind = ${kind}`})`;
}

function hasPosting(posting: LedgerPosting['name']): SQL {
  return sql`exists (select 1 from ledger_entries l where l.order_id = ${orders.id} and l.posting = ${posting})`;
}

function hasOperation(kind: 'withdraw' | 'redeem', state: 'sent' | 'succeeded'): SQL {
  return sql`exists (select 1 from chain_operations c
    where c.order_id = ${orders.id} and c.kind = ${kind} and c.state = ${state})`;
}

/**
 * Reopens returned requests whose return the vault no longer has a log of.
 * @param chainOrderIds those whose logs have changed; without them all are checked
 */
export async function reopenOrphanedRequests(
  tx: Queryable,
  chainOrderIds?: readonly string[],
): Promise<void> {
  await tx
    .update(orphanedRequests)
    .set({ state: 'open', returnHash: null, resolvedAt: null })
    .where(
      and(
        eq(orphanedRequests.state, 'returned'),
        chainOrderIds && isOneOf(orphanedRequests.chainOrderId, chainOrderIds),
        sql`not exists (select 1 from vault_events e
          where e.chain_order_id = ${orphanedRequests.chainOrderId} and e.kind = 'refunded')`,
      ),
    );
}
