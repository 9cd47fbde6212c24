import { eq, sql } from 'drizzle-orm';
import { findLatestOperation, type Operation } from '#server/chain/operations/latest.ts';
import { withdrawReady } from '#server/chain/operations/store.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { exchangeAttempts, orders } from '#server/platform/database/schema/orders.ts';
import type { Log } from '#server/platform/log.ts';
import { raiseAlert } from '../../admin/alerts.ts';
import { recordAudit } from '../../admin/audit.ts';
import { parseClientOrderId } from './attempts.ts';
import { type Claimed, claimOrder, releaseLease } from './lease.ts';
import { findLatestAttempt, findVaultEvent } from './orderContext.ts';
import type { OrderRow } from './orderRow.ts';
import { applyTransition } from './transition.ts';

type Deps = { database: Database; exchange: Exchange; log: Log };

/** Our order as the exchange reports it, under an id that the ledger does not record as filled. */
type Found = {
  clientOrderId: string;
  attempt: number;
  exchangeOrderId: string;
  filledContractMicros: bigint;
};

/** Time the chain needs to deliver; with less left before expiry, delivery does not start. */
const DELIVERY_MS = 45_000;

/**
 * Resolves a fill at the exchange that our records call absent, refunded or never sent. While the
 * input is locked and time remains, the order is delivered as usual; once the order has ended, the
 * house trades the fill back. In between, nothing happens.
 */
export async function takeFoundFill(
  deps: Deps,
  { ticker, clientOrderId }: { ticker: string; clientOrderId: string },
): Promise<void> {
  const named = parseClientOrderId(clientOrderId);
  if (!named || named.isUnwind) return;
  const [row] = await deps.database.orm.select().from(orders).where(eq(orders.id, named.orderId));
  if (!row || row.ticker !== ticker) return;
  const { createdAt: since } = row;
  const asked = { ticker, clientOrderId, sentAt: new Date(), since };
  const known = await deps.exchange.findOrder(asked);
  if (known.kind !== 'found' || !known.ended || known.filledContractMicros === 0n) return;
  const { exchangeOrderId, filledContractMicros } = known;
  const found = { clientOrderId, attempt: named.attempt, exchangeOrderId, filledContractMicros };
  if (row.isComplete) await beginUnwinding(deps, row, found);
  else if (row.stage === 'refund') await deliverInstead(deps, row, found);
}

/** The order has ended: its log stays unchanged, and the house trades the fill back. */
async function beginUnwinding(deps: Deps, order: OrderRow, found: Found): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    // A restored database may record a delivered order as failed; an admin must review it.
    const isDelivered =
      order.chainOrderId !== null && (await findVaultEvent(tx, order.chainOrderId, 'filled'));
    if (order.status === 'failed' && isDelivered) return;
    if (!(await recordFound(tx, order, found))) return;
    await tx
      .update(orders)
      .set({ stage: 'unwind', isUnwinding: true, nextRunAt: sql`now()`, failures: 0 })
      .where(eq(orders.id, order.id));
    const reason = `The exchange filled ${found.clientOrderId} (${found.exchangeOrderId}) after the order had ended: ${order.terminationReason ?? order.status}.`;
    await raiseAlert(
      { database: { orm: tx }, log: deps.log },
      { kind: 'order_unwinding', subject: order.id, internalDetail: reason },
    );
    const entry = { actor: 'service', action: 'unwind_found', subject: order.id, reason };
    await recordAudit({ database: { orm: tx } }, entry);
  });
}

/** @returns false when the fill is already recorded */
async function recordFound(
  tx: Queryable,
  { id: orderId, accountId }: OrderRow,
  { attempt, ...filled }: Found,
): Promise<boolean> {
  const known = { ...filled, state: 'done', purpose: 'found', code: 'found_late' } as const;
  const set = { ...known, respondedAt: sql`now()` };
  const contractMicros = filled.filledContractMicros;
  const identity = { accountId, orderId, attempt, contractMicros, storedAt: sql`now()` };
  const recorded = await tx
    .insert(exchangeAttempts)
    // The price it was sent with is unknown.
    .values({ ...set, ...identity, limitPriceMicros: 0n })
    .onConflictDoUpdate({
      target: exchangeAttempts.clientOrderId,
      set,
      setWhere: sql`${exchangeAttempts.state} <> 'done'`,
    })
    .returning({ id: exchangeAttempts.clientOrderId });
  return recorded.length > 0;
}

/** The refund is pending and the funds are still in the vault: deliver the fill instead. */
async function deliverInstead(deps: Deps, row: OrderRow, found: Found): Promise<void> {
  const claimed = await claimOrder(deps.database, row.id);
  if (!claimed) return;
  const { lease, order } = claimed;
  try {
    if (order.stage === 'refund' && (await isDeliverable(deps.database.orm, order, found))) {
      await turnToDelivery(deps.database, claimed, found);
    } else await releaseLease(deps.database, lease, { delayMs: 0 });
  } catch (error) {
    await releaseLease(deps.database, lease, { delayMs: 0 });
    throw error;
  }
}

async function isDeliverable(db: Queryable, order: OrderRow, found: Found): Promise<boolean> {
  const { chainOrderId, expiresAt } = order;
  if (chainOrderId === null || (expiresAt?.getTime() ?? 0) - Date.now() < DELIVERY_MS) return false;
  if (!(await findVaultEvent(db, chainOrderId, 'requested'))) return false;
  if (await findVaultEvent(db, chainOrderId, 'refunded')) return false;
  // The step continues with the latest attempt.
  const latest = await findLatestAttempt(db, order.id);
  if (latest !== undefined && latest.attempt > found.attempt) return false;
  return await isRefundOpen(db, order.id, ['ready', 'failed']);
}

async function isRefundOpen(
  db: Queryable,
  orderId: string,
  states: readonly Operation['state'][],
): Promise<boolean> {
  const refund = await findLatestOperation(db, orderId, 'refund');
  return refund === undefined || states.includes(refund.state);
}

async function turnToDelivery(
  database: Database,
  { lease, order }: Claimed,
  found: Found,
): Promise<void> {
  await applyTransition(database, lease, {
    from: 'refund',
    set: { stage: 'place', endingReason: null },
    async write(tx) {
      await withdrawReady(tx, order.id, 'refund');
      if (!(await isRefundOpen(tx, order.id, ['failed']))) {
        throw new Error(`the refund of ${order.id} is on its way to the chain`);
      }
      await recordFound(tx, order, found);
      // The step records the latest attempt's fills and delivers them.
      await tx
        .update(exchangeAttempts)
        .set({ purpose: 'order' })
        .where(eq(exchangeAttempts.clientOrderId, found.clientOrderId));
    },
    next: { kind: 'park', delayMs: 0 },
  });
}
