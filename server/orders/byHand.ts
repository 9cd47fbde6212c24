import { and, eq, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { orders, venueAttempts } from '../db/schema/orders.ts';
import { recordAudit } from '../operations/audit.ts';
import { NotAllowedError } from '../operations/notAllowed.ts';
import type { Venue } from '../venue/port.ts';
import { findLatestAttempt } from './facts.ts';
import { claimOrder, type OrderRow, releaseLease } from './lease.ts';
import type { OrderQueue } from './queue.ts';
import { applyTransition } from './transition.ts';

/** What a person may do to an intent. Each leaves an entry in the audit trail. */
export type ByHandDeps = { database: Database; queue: OrderQueue; venue: Venue };

export type ByHand = { id: string; by: string; reason: string };

/** Makes an intent due at once and forgets its failures. Always safe: every step can be repeated. */
export async function retryByHand(deps: ByHandDeps, action: ByHand): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const [before] = await tx.select().from(orders).where(eq(orders.id, action.id)).for('update');
    if (!before) throw new NotAllowedError(`There is no intent ${action.id}.`);
    if (before.isComplete) throw new NotAllowedError(`The intent is over: ${before.status}.`);
    await tx
      .update(orders)
      .set({ nextRunAt: sql`now()`, failures: 0 })
      .where(eq(orders.id, action.id));
    await deps.queue.enqueue(tx, action.id);
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
 * Sends the locked input of an order back. Only before the exchange was asked, or when it is
 * proven that nothing came of asking: otherwise the user would get both the money and what it
 * bought, or the house would.
 * @throws {NotAllowedError}
 */
export async function refundByHand(deps: ByHandDeps, action: ByHand): Promise<void> {
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
          .update(venueAttempts)
          .set({ state: 'no_fill', code: 'absent', answeredAt: sql`now()` })
          .where(and(eq(venueAttempts.orderId, order.id), ne(venueAttempts.state, 'no_fill')));
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
        await deps.queue.enqueue(tx, order.id);
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
  if (!row) return `There is no intent ${id}.`;
  if (row.isComplete) return `The intent is over: ${row.status}.`;
  return 'A processor is at work on the intent just now; try again in a moment.';
}

async function requireNothingBought(deps: ByHandDeps, order: OrderRow): Promise<void> {
  if (order.stage !== 'place' || order.ticker === null) {
    throw new NotAllowedError(
      `The intent is in stage ${order.stage}; only an order that waits for the exchange (stage place) can be refunded.`,
    );
  }
  const attempt = await findLatestAttempt(deps.database.orm, order.id);
  if (attempt === undefined || attempt.state === 'no_fill') return;
  if (attempt.state === 'done') {
    if (attempt.filledContractMicros === 0n) return;
    throw new NotAllowedError('The exchange has filled the order; it will be delivered.');
  }
  const found = await deps.venue.findOrder({
    ticker: order.ticker,
    clientOrderId: attempt.clientOrderId,
    sentAt: attempt.storedAt,
    since: order.createdAt,
  });
  if (found.kind === 'absent' && attempt.code !== 'order_already_exists') return;
  if (found.kind === 'found') {
    throw new NotAllowedError(`The exchange knows the order (${found.venueOrderId}).`);
  }
  throw new NotAllowedError(
    'The exchange cannot say yet that it does not know the order; try again in half a minute.',
  );
}

function summaryOf({ status, stage, failures, endingReason }: OrderRow) {
  return { status, stage, failures, endingReason };
}
