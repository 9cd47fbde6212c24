import { raiseAlert } from '#server/domain/admin/alerts.ts';
import {
  claimDueOrder,
  keepLease,
  type Lease,
  LeaseLostError,
  type OrderRow,
  releaseLease,
  renewLease,
} from '#server/domain/orders/lifecycle/lease.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import { observeEnd, observeStep, type StepOutcome } from '#server/platform/metrics/orders.ts';
import { inSpan } from '#server/platform/tracing/spans.ts';
import { deliverStep } from '../steps/deliverStep.ts';
import { placeStep } from '../steps/placeStep.ts';
import { redeemStep } from '../steps/redeemStep.ts';
import { refundStep } from '../steps/refundStep.ts';
import { requestStep } from '../steps/requestStep.ts';
import type { Step, StepRun } from '../steps/step.ts';
import { unwindStep } from '../steps/unwindStep.ts';
import { withdrawStep } from '../steps/withdrawStep.ts';
import { pause } from './pause.ts';
import type { StepDeps } from './stepDeps.ts';

const STEPS: Record<Exclude<OrderRow['stage'], 'done'>, Step> = {
  request: requestStep,
  place: placeStep,
  deliver: deliverStep,
  refund: refundStep,
  withdraw: withdrawStep,
  redeem: redeemStep,
  unwind: unwindStep,
};

/** Pauses longer than this give the intent back instead of holding a worker. */
const MAX_PAUSED_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;
/** A step that fails as often as this is not just unlucky. */
const ALERT_AFTER_FAILURES = 5;

/**
 * Carries one intent as far as it goes: step by step, each applied in its own transaction, until
 * it must wait or is over. Holding no lease, or losing it, is no error: another process has it.
 */
export async function advanceOrder(
  deps: StepDeps,
  orderId: string,
  signal: AbortSignal,
): Promise<void> {
  // Again when it was woken while it was worked on.
  while (!signal.aborted && (await carry(deps, orderId, signal)));
}

/** @returns whether there is more to do at once */
async function carry(deps: StepDeps, orderId: string, signal: AbortSignal): Promise<boolean> {
  const claimed = deps.claimedOrders.take(orderId) ?? (await claimDueOrder(deps.database, orderId));
  if (!claimed) return false;
  deps.checkpoint('order.claimed');
  const stopRenewing = keepLease(deps.database, claimed.lease);
  try {
    return await runSteps(deps, claimed.lease, claimed.order, signal);
  } catch (error) {
    if (!(error instanceof LeaseLostError)) {
      await giveBackAfterFailure(deps, claimed, error);
      return false;
    }
    deps.log.warn({ orderId: orderId }, 'the intent changed; reading it again');
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
  const visit: Visit = { deps, lease, signal, run: {}, pausedMs: 0, isDue: false };
  let order: OrderRow | undefined = claimed;
  while (order && order.stage !== 'done') order = await watchStage(visit, order);
  return visit.isDue;
}

/** What the steps of one intent share while this process carries it. */
type Visit = {
  deps: StepDeps;
  lease: Lease;
  signal: AbortSignal;
  run: StepRun;
  pausedMs: number;
  /** Parked, and woken before that was written. */
  isDue: boolean;
};

/** One stage, measured, and shown in the trace of the request that the intent came with. */
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

/** Decides until there is something to apply, and applies it. Answers the row to go on with. */
async function runStage(visit: Visit, claimed: OrderRow): Promise<StageEnd> {
  const { deps, lease, signal } = visit;
  let order = claimed;
  while (order.stage !== 'done') {
    const decision = await STEPS[order.stage](deps, order, visit.run);
    deps.checkpoint('order.transition_decided');
    if ('pauseMs' in decision) {
      visit.pausedMs += decision.pauseMs;
      if (visit.pausedMs > MAX_PAUSED_MS || signal.aborted) {
        await releaseLease(deps.database, lease, { delayMs: signal.aborted ? 0 : 1_000 });
        return { outcome: 'given_back' };
      }
      await pause(decision.pauseMs, signal);
      order = await renewLease(deps.database, lease);
      continue;
    }
    const after = await applyTransition(deps.database, lease, decision, order.nextRunAt);
    deps.checkpoint('order.transition_applied');
    for (const { kind } of decision.operations ?? []) deps.work.ring(kind);
    if (decision.next.kind === 'continue') return { outcome: 'moved', order: after };
    if (decision.next.kind === 'end') {
      observeEnd(after);
      return { outcome: 'ended' };
    }
    visit.isDue = after.nextRunAt <= after.updatedAt;
    return { outcome: after.stage === order.stage ? 'parked' : 'moved' };
  }
  return { outcome: 'ended' };
}

async function giveBackAfterFailure(
  deps: StepDeps,
  claimed: { lease: Lease; order: OrderRow },
  error: unknown,
): Promise<void> {
  const { lease, order } = claimed;
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
