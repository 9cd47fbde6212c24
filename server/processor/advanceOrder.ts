import {
  claimOrder,
  LeaseLostError,
  type OrderRow,
  releaseLease,
  renewLease,
} from '#server/orders/lease.ts';
import { applyTransition } from '#server/orders/transition.ts';
import { pause } from './pause.ts';
import type { StepDeps } from './stepDeps.ts';
import { placeStep } from './steps/placeStep.ts';
import { refundStep } from './steps/refundStep.ts';
import { requestStep } from './steps/requestStep.ts';
import { settleStep } from './steps/settleStep.ts';
import type { Step, StepRun } from './steps/step.ts';
import { withdrawStep } from './steps/withdrawStep.ts';

const STEPS: Record<Exclude<OrderRow['stage'], 'done'>, Step> = {
  request: requestStep,
  place: placeStep,
  settle: settleStep,
  refund: refundStep,
  withdraw: withdrawStep,
};

/** Pauses longer than this give the intent back instead of holding a worker. */
const MAX_PAUSED_MS = 10_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Carries one intent as far as it goes: step by step, each applied in its own transaction, until
 * it must wait or is over. Holding no lease, or losing it, is no error: another process has it.
 */
export async function advanceOrder(
  deps: StepDeps,
  orderId: string,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await claimOrder(deps.database, orderId);
  if (!claimed) return;
  const { lease } = claimed;
  deps.checkpoint('order.claimed');
  const run: StepRun = {};
  let order = claimed.order;
  let pausedMs = 0;
  try {
    while (order.stage !== 'done') {
      const decision = await STEPS[order.stage](deps, order, run);
      deps.checkpoint('order.transition_decided');
      if ('pauseMs' in decision) {
        pausedMs += decision.pauseMs;
        if (pausedMs > MAX_PAUSED_MS || signal.aborted) {
          await releaseLease(deps.database, lease, { delayMs: signal.aborted ? 0 : 1_000 });
          return;
        }
        await pause(decision.pauseMs, signal);
        order = await renewLease(deps.database, lease);
        continue;
      }
      order = await applyTransition(deps.database, lease, decision);
      deps.checkpoint('order.transition_applied');
      if (decision.next.kind !== 'continue') return;
    }
  } catch (error) {
    if (error instanceof LeaseLostError) {
      deps.log.warn({ intentId: orderId }, 'the intent moved on meanwhile; looking again');
      await releaseLease(deps.database, lease, { delayMs: 0 });
      return;
    }
    const delayMs = Math.min(500 * 2 ** Math.min(order.failures, 10), MAX_BACKOFF_MS);
    deps.log.error({ err: error, intentId: orderId, stage: order.stage, delayMs }, 'step failed');
    await releaseLease(deps.database, lease, { delayMs, failed: true });
  }
}
