import { and, eq, notInArray, sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { exchangeAttempts, orders } from '#server/platform/database/schema/orders.ts';
import { recordAudit } from '../../admin/audit.ts';
import { NotAllowedError } from '../../admin/notAllowed.ts';
import { findLatestRestore } from '../../admin/restores.ts';
import { asTradeOrder, type TradeOrder } from './chainOrder.ts';
import { clientOrderIdOf } from './clientOrderId.ts';
import { notifyDue } from './dueOrders.ts';
import { claimOrder, type OrderRow, releaseLease } from './lease.ts';
import { type AttemptLookup, lookUpAttempt } from './lookUpAttempt.ts';
import { findLatestAttempt } from './orderContext.ts';
import { applyTransition } from './transition.ts';

/** What an admin may do to an order. Each action writes to the audit trail. */
export type AdminActionDeps = { database: Database; exchange: Exchange };

export type AdminAction = { id: string; by: string; reason: string };

/** Makes an order due at once and resets its failures. Always safe: every step is idempotent. */
export async function retryOrder(deps: AdminActionDeps, action: AdminAction): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const [before] = await tx.select().from(orders).where(eq(orders.id, action.id)).for('update');
    if (!before) throw new NotAllowedError(`No order has the ID ${action.id}.`);
    if (before.isComplete)
      throw new NotAllowedError(`The order has already ended: ${before.status}.`);
    await tx
      .update(orders)
      .set({ nextRunAt: sql`now()`, failures: 0 })
      .where(eq(orders.id, action.id));
    await notifyDue(tx);
    await recordAudit(
      { database: { orm: tx } },
      {
        actor: action.by,
        action: 'retry',
        subject: action.id,
        reason: action.reason,
        before: summaryOf(before),
        after: { ...summaryOf(before), failures: 0 },
      },
    );
  });
}

/**
 * Refunds the locked input of an order. Allowed only before the exchange received it, or with proof
 * that the exchange did not fill it: otherwise the user would receive both the refund and the
 * purchase.
 * @throws {NotAllowedError}
 */
export async function refundOrder(deps: AdminActionDeps, action: AdminAction): Promise<void> {
  const claimed = await claimOrder(deps.database, action.id);
  if (!claimed) throw new NotAllowedError(await whyNotClaimed(deps.database, action.id));
  const { lease, order } = claimed;
  try {
    await requireNothingBought(deps, order);
    await applyTransition(deps.database, lease, {
      from: 'place',
      set: { stage: 'refund', endingReason: 'refunded_by_hand' },
      events: [{ type: 'returning', detail: 'refunded_by_hand' }],
      write: async (tx) => {
        await tx
          .update(exchangeAttempts)
          .set({ state: 'no_fill', code: 'absent', respondedAt: sql`now()` })
          .where(
            and(
              eq(exchangeAttempts.orderId, order.id),
              notInArray(exchangeAttempts.state, ['no_fill', 'done']),
            ),
          );
        await recordAudit(
          { database: { orm: tx } },
          {
            actor: action.by,
            action: 'refund',
            subject: order.id,
            reason: action.reason,
            before: summaryOf(order),
            after: { ...summaryOf(order), stage: 'refund' },
          },
        );
        await notifyDue(tx);
      },
      next: { kind: 'park', delayMs: 0 },
    });
  } catch (error) {
    await releaseLease(deps.database, lease, { delayMs: 0 });
    throw error;
  }
}

async function whyNotClaimed(database: Database, id: string): Promise<string> {
  const [row] = await database.orm.select().from(orders).where(eq(orders.id, id));
  if (!row) return `No order has the ID ${id}.`;
  if (row.isComplete) return `The order has already ended: ${row.status}.`;
  return 'A processor is working on this order. Try again in a moment.';
}

async function requireNothingBought(deps: AdminActionDeps, order: OrderRow): Promise<void> {
  if (order.stage !== 'place' || order.ticker === null) {
    throw new NotAllowedError(
      `The order is in stage ${order.stage}; only an order waiting for the exchange (stage place) can be refunded.`,
    );
  }
  const found = await findLatest(deps, asTradeOrder(order));
  if (found === undefined || found.kind === 'absent') return;
  if (found.kind === 'not_yet_known') {
    const seconds = Math.ceil(deps.exchange.timing.absenceMs / 1_000);
    throw new NotAllowedError(
      `It is not certain yet that the exchange does not have the order. Try again in ${seconds} seconds.`,
    );
  }
  if (found.filledContractMicros === 0n) return;
  throw new NotAllowedError(
    `The exchange has filled the order (${found.exchangeOrderId}); it will be delivered.`,
  );
}

/** Uses the same proof as the steps; undefined when no order can be at the exchange. */
async function findLatest(
  deps: AdminActionDeps,
  order: TradeOrder,
): Promise<AttemptLookup | undefined> {
  const db = deps.database.orm;
  const attempt = await findLatestAttempt(db, order.id);
  if (attempt === undefined) {
    const restoredAt = await findLatestRestore(db);
    if (restoredAt === undefined || restoredAt <= order.createdAt) return undefined;
    const clientOrderId = clientOrderIdOf(order.id, 1);
    const dropped = { clientOrderId, storedAt: restoredAt, code: null };
    return await lookUpAttempt(deps.exchange, order, dropped);
  }
  const { state, exchangeOrderId, filledContractMicros } = attempt;
  if (state === 'no_fill' || state === 'refused') return undefined;
  if (state !== 'done') return await lookUpAttempt(deps.exchange, order, attempt);
  return {
    kind: 'ended',
    exchangeOrderId: exchangeOrderId ?? '',
    filledContractMicros: filledContractMicros ?? 0n,
  };
}

function summaryOf({ status, stage, failures, endingReason }: OrderRow) {
  return { status, stage, failures, endingReason };
}
