import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import { addOperations } from '#server/chain/operations/store.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { findLatestRestore } from '#server/domain/admin/restores.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import {
  exchangeAttempts,
  exchangeFills,
  orders,
} from '#server/platform/database/schema/orders.ts';
import { type AttemptLookup, clientOrderIdOf, lookUpAttempt } from './attempts.ts';
import { notifyDue } from './dueOrders.ts';
import { claimOrder, releaseLease } from './lease.ts';
import { findLatestAttempt } from './orderContext.ts';
import { asTradeOrder, type OrderRow, type TradeOrder } from './orderRow.ts';
import { applyTransition } from './transition.ts';

export type AdminActionDeps = { database: Database; exchange: Exchange };

type AdminAction = { id: string; by: string; reason: string };

/** Makes an order due at once and resets its failures. Always safe: every step is idempotent. */
export async function retryOrder(deps: AdminActionDeps, action: AdminAction): Promise<void> {
  const { id } = action;
  await deps.database.orm.transaction(async (tx) => {
    const [before] = await tx.select().from(orders).where(eq(orders.id, id)).for('update');
    if (!before || before.isComplete) throw new NotAllowedError(endedOrUnknown(id, before));
    await tx.update(orders).set({ nextRunAt: sql`now()`, failures: 0 }).where(eq(orders.id, id));
    await notifyDue(tx);
    await auditChange(tx, 'retry', action, before, { failures: 0 });
  });
}

function endedOrUnknown(id: string, order: OrderRow | undefined): string {
  return order ? `The order has already ended: ${order.status}.` : `No order has the ID ${id}.`;
}

async function auditChange(
  tx: Queryable,
  name: 'retry' | 'refund',
  { id, by, reason }: AdminAction,
  { status, stage, failures, endingReason }: OrderRow,
  change: Partial<OrderRow>,
): Promise<void> {
  const before = { status, stage, failures, endingReason };
  const entry = { actor: by, action: name, subject: id, reason };
  await recordAudit(
    { database: { orm: tx } },
    { ...entry, before, after: { ...before, ...change } },
  );
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
        await auditChange(tx, 'refund', action, order, { stage: 'refund' });
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
  return row && !row.isComplete
    ? 'A processor is working on this order. Try again in a moment.'
    : endedOrUnknown(id, row);
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
  if (found.kind === 'resting') {
    throw new NotAllowedError(
      `The order rests at the exchange (${found.exchangeOrderId}). Cancel it; its unfilled part is returned.`,
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
  const filled = filledContractMicros ?? 0n;
  return { kind: 'ended', exchangeOrderId: exchangeOrderId ?? '', filledContractMicros: filled };
}

/**
 * Has the attestor sign a market's backing again, with the ledger's amounts at the moment of
 * signing; one operation for each traded side.
 * @returns the number of sides
 * @throws {NotAllowedError}
 */
export async function attestPurchase(
  deps: { database: Database },
  { ticker, by, reason }: { ticker: string; by: string; reason: string },
): Promise<number> {
  return await deps.database.orm.transaction(async (tx) => {
    const filled = await tx
      .selectDistinctOn([exchangeFills.side], { order: orders })
      .from(exchangeFills)
      .innerJoin(orders, eq(orders.id, exchangeFills.orderId))
      .where(eq(exchangeFills.ticker, ticker))
      .orderBy(exchangeFills.side, desc(orders.createdAt));
    if (filled.length === 0) throw new NotAllowedError(`No contracts were bought on ${ticker}.`);
    for (const { order } of filled) {
      const latest = await findLatestOperation(tx, order.id, 'attest');
      await addOperations(tx, order, [
        { kind: 'attest', attempt: (latest?.attempt ?? 0) + 1, args: {} },
      ]);
    }
    await recordAudit(
      { database: { orm: tx } },
      { actor: by, action: 'attest_backing', subject: ticker, reason },
    );
    return filled.length;
  });
}
