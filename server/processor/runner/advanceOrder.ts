import { withdrawReady } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { insertPosting, removePostingsOf } from '#server/domain/ledger/ledger.ts';
import {
  type Claimed,
  claimDueOrder,
  type Lease,
  LeaseLostError,
  maintainLease,
  releaseLease,
  renewLease,
} from '#server/domain/orders/lifecycle/lease.ts';
import { asTradeOrder, type OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import { lockBookedPayout } from '#server/domain/settlement/settlementStore.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { observeEnd, observeStep, type StepOutcome } from '#server/platform/metrics/orders.ts';
import { inSpan } from '#server/platform/tracing/spans.ts';
import type { Decided, Write } from '../steps/decision.ts';
import { payoutPosting } from '../steps/unwind.ts';
import { decide, unsentOf, type Visit } from './decide.ts';
import { pause } from './polling.ts';
import type { StepDeps } from './stepDeps.ts';

/** Pauses longer than this release the order instead of holding a worker. */
const MAX_PAUSED_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;
/** A step that fails this often raises an alert. */
const ALERT_AFTER_FAILURES = 5;

/**
 * Executes one order as far as possible: step by step, each applied in its own transaction, until
 * it waits or has ended. A missing or lost lease is not an error: another process has it.
 */
export async function advanceOrder(
  deps: StepDeps,
  orderId: string,
  signal: AbortSignal,
): Promise<void> {
  // Repeats if the order was woken meanwhile.
  while (!signal.aborted && (await runOnce(deps, orderId, signal)));
}

/** @returns whether there is more to do at once */
async function runOnce(deps: StepDeps, orderId: string, signal: AbortSignal): Promise<boolean> {
  const claimed = deps.claimedOrders.take(orderId) ?? (await claimDueOrder(deps.database, orderId));
  if (!claimed) return false;
  deps.checkpoint('order.claimed');
  const stopRenewing = maintainLease(deps.database, claimed.lease);
  try {
    return await runSteps(deps, claimed.lease, claimed.order, signal);
  } catch (error) {
    if (!(error instanceof LeaseLostError)) {
      await releaseAfterFailure(deps, claimed, error);
      return false;
    }
    deps.log.warn({ orderId }, 'the order changed meanwhile; claiming it again');
    await releaseLease(deps.database, claimed.lease, { delayMs: 0 });
    return true;
  } finally {
    stopRenewing();
  }
}

async function runSteps(
  deps: StepDeps,
  lease: Lease,
  claimed: OrderRow,
  signal: AbortSignal,
): Promise<boolean> {
  const visit: Visit = { deps, lease, signal, isConfirming: false, pausedMs: 0, isDue: false };
  let order: OrderRow | undefined = claimed;
  while (order && order.stage !== 'done') order = await watchStage(visit, order);
  return visit.isDue;
}

/** Runs one stage, measured and traced as part of the order's request. */
async function watchStage(visit: Visit, order: OrderRow): Promise<OrderRow | undefined> {
  const { stage } = order;
  const startedAt = performance.now();
  const observe = (outcome: StepOutcome) =>
    observeStep(stage, outcome, (performance.now() - startedAt) / 1000);
  const attributes = { 'crossbook.intent_id': order.id, 'crossbook.stage': stage };
  const options = { attributes, parent: order.traceparent };
  return await inSpan(`order.${stage}`, options, async (span) => {
    try {
      const { outcome, order: after } = await runStage(visit, order);
      observe(outcome);
      span?.setAttribute('crossbook.outcome', outcome);
      return after;
    } catch (error) {
      observe(error instanceof LeaseLostError ? 'lease_lost' : 'failed');
      throw error;
    }
  });
}

type StageEnd = { outcome: StepOutcome; order?: OrderRow };

/** Decides until there is a transition, and applies it. @returns the updated row */
async function runStage(visit: Visit, claimed: OrderRow): Promise<StageEnd> {
  const { deps, lease, signal } = visit;
  let order = claimed;
  while (order.stage !== 'done') {
    const { decision, facts } = await decide(visit, order.stage, order);
    deps.checkpoint('order.transition_decided');
    if (decision.kind === 'transition') {
      const unsent = unsentOf(decision, facts, order);
      const after = await apply(visit, order, decision);
      if (unsent) visit.unsent = unsent;
      return endOf(visit, order, decision, after);
    }
    if (decision.isConfirming) visit.isConfirming = true;
    visit.pausedMs += decision.pauseMs;
    if (visit.pausedMs > MAX_PAUSED_MS || signal.aborted) {
      await releaseLease(deps.database, lease, { delayMs: signal.aborted ? 0 : 1_000 });
      return { outcome: 'given_back' };
    }
    await pause(decision.pauseMs, signal);
    order = await renewLease(deps.database, lease);
  }
  return { outcome: 'ended' };
}

async function apply(
  { deps, lease }: Visit,
  order: OrderRow,
  { writes, log, ...transition }: Decided,
): Promise<OrderRow> {
  if (log) deps.log[log.level]({ orderId: order.id, ...log.details }, log.message);
  const write = writes && ((tx: Queryable) => writeAlong(tx, deps.log, order, writes));
  const complete = { ...transition, ...(write && { write }) };
  const after = await applyTransition(deps.database, lease, complete, order.nextRunAt);
  deps.checkpoint('order.transition_applied');
  for (const operation of transition.operations ?? []) deps.work.ring(operation.kind);
  return after;
}

function endOf(visit: Visit, order: OrderRow, { next }: Decided, after: OrderRow): StageEnd {
  if (next.kind === 'continue') return { outcome: 'moved', order: after };
  if (next.kind === 'end') {
    observeEnd(after);
    return { outcome: 'ended' };
  }
  visit.isDue = after.nextRunAt <= after.updatedAt;
  return { outcome: after.stage === order.stage ? 'parked' : 'moved' };
}

async function releaseAfterFailure(
  deps: StepDeps,
  { lease, order }: Claimed,
  error: unknown,
): Promise<void> {
  const delayMs = Math.min(500 * 2 ** Math.min(order.failures, 10), MAX_BACKOFF_MS);
  deps.log.error({ err: error, orderId: order.id, stage: order.stage, delayMs }, 'step failed');
  await releaseLease(deps.database, lease, { delayMs, failed: true });
  if (order.failures + 1 < ALERT_AFTER_FAILURES) return;
  await raiseAlert(deps, {
    kind: 'step_failing',
    subject: order.id,
    internalDetail: `stage ${order.stage}, ${order.failures + 1} failures, last: ${String(error)}`,
  });
}

async function writeAlong(
  tx: Queryable,
  log: Log,
  row: OrderRow,
  writes: readonly Write[],
): Promise<void> {
  const deps = { database: { orm: tx }, log };
  for (const write of writes) {
    switch (write.kind) {
      case 'raise_alert':
        await raiseAlert(deps, write.alert);
        break;
      case 'resolve_alert':
        await resolveAlert(deps, write.alert);
        break;
      case 'record_audit':
        await recordAudit(deps, write.entry);
        break;
      case 'withdraw_operation':
        await withdrawReady(tx, row.id, write.operation);
        break;
      case 'remove_lock_posting':
        await removePostingsOf(tx, [row.id], 'lock');
        break;
      case 'book_payout': {
        const order = asTradeOrder(row);
        const payoutYesMicros = await lockBookedPayout(tx, order.ticker);
        if (payoutYesMicros === undefined) break;
        await insertPosting(tx, order, payoutPosting(order, write, payoutYesMicros));
        break;
      }
    }
  }
}
