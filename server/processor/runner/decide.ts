import type { Lease } from '#server/domain/orders/lifecycle/lease.ts';
import { readContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { NewAttempt } from '#server/domain/orders/lifecycle/transition.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';
import type { Decided, Decision, Needed, Paused } from '../steps/decision.ts';
import { decideDeliver } from '../steps/deliver.ts';
import type { Facts, StepSettings } from '../steps/facts.ts';
import { decidePlace } from '../steps/place.ts';
import { decideRedeem } from '../steps/redeem.ts';
import { decideRefund } from '../steps/refund.ts';
import { decideRequest } from '../steps/request.ts';
import { decideRest } from '../steps/rest.ts';
import { decideTrigger } from '../steps/trigger.ts';
import { decideUnwind } from '../steps/unwind.ts';
import { decideWithdraw } from '../steps/withdraw.ts';
import { readFact } from './readFact.ts';
import type { StepDeps } from './stepDeps.ts';

export type Stage = Exclude<OrderRow['stage'], 'done'>;

const STEPS: Record<Stage, (order: OrderRow, facts: Facts, now: Date) => Decision> = {
  request: decideRequest,
  trigger: decideTrigger,
  place: decidePlace,
  rest: decideRest,
  deliver: decideDeliver,
  refund: decideRefund,
  withdraw: decideWithdraw,
  redeem: decideRedeem,
  unwind: decideUnwind,
};

/** State that the steps of one order share in this process; deliberately not persistent. */
export type Visit = {
  deps: StepDeps;
  lease: Lease;
  signal: AbortSignal;
  /** The attempt that this run has stored and not sent yet. */
  unsent?: Unsent;
  /** The facts that would end the order have been read once. */
  isConfirming: boolean;
  pausedMs: number;
  /** The order was parked, and woken before that was written. */
  isDue: boolean;
};

type Unsent = {
  attempt: NewAttempt;
  /** The facts that the attempt was decided on. */
  facts: Pick<Facts, 'context' | 'readAt'>;
  /** `nextRunAt` of the row at that time: a different value means that the context has changed. */
  dueAt: Date;
};

export async function decide(
  visit: Visit,
  stage: Stage,
  order: OrderRow,
): Promise<{ decision: Decided | Paused; facts: Facts }> {
  let facts = await knownFacts(visit, order);
  for (;;) {
    const decision = STEPS[stage](order, facts, new Date());
    if (decision.kind !== 'need') return { decision, facts };
    if (facts[decision.fact] !== undefined) {
      throw new Error(`the step ${stage} needs ${decision.fact} twice`);
    }
    facts = { ...facts, ...(await supply(visit.deps, order, decision)) };
  }
}

async function knownFacts(visit: Visit, order: OrderRow): Promise<Facts> {
  const { deps, unsent, isConfirming, pausedMs } = visit;
  // With any outcome, an attempt is sent without a look-up only once.
  delete visit.unsent;
  const isCurrent = unsent?.dueAt.getTime() === order.nextRunAt.getTime();
  const read =
    unsent && isCurrent
      ? unsent.facts
      : { readAt: new Date(), context: await readContext(deps.database, order) };
  return {
    ...read,
    settings: settingsOf(deps),
    isConfirmed: isConfirming,
    pausedMs,
    // The row's statement stored the attempt, so both have the same time.
    ...(unsent && { unsent: { ...unsent.attempt, storedAt: order.updatedAt, isCurrent } }),
  };
}

function settingsOf({ exchange, chain, config }: StepDeps): StepSettings {
  return {
    absenceMs: exchange.timing.absenceMs,
    sendWithinMs: Math.round((exchange.timing.toleranceMs * 2) / 3),
    maxUnwindLossMicros: config.unwinding.maxLossMicros,
    confirmations: BigInt(chain.confirmations),
    vault: chain.contracts.swapVault,
  };
}

async function supply(deps: StepDeps, order: OrderRow, need: Needed): Promise<Partial<Facts>> {
  const { fact, timeoutMs } = need;
  const reading = readFact(deps, order, need).then((value) => ({ [fact]: value }));
  if (timeoutMs === undefined) return await reading;
  const inTime = reading.catch((error: unknown) => {
    deps.log.debug({ err: error, orderId: order.id, fact }, 'not read in time');
    return undefined;
  });
  return (await withTimeout(inTime, timeoutMs)) ?? { isLate: true };
}

/** The attempt that this run sends once the decision is applied. */
export function unsentOf(
  decision: Decided,
  { context, readAt }: Facts,
  order: OrderRow,
): Unsent | undefined {
  const attempt = storedBy(decision, context.attempt);
  return attempt && { attempt, facts: { context, readAt }, dueAt: order.nextRunAt };
}

function storedBy(
  { attempt, response }: Decided,
  known: NewAttempt | undefined,
): NewAttempt | undefined {
  if (attempt?.state === 'stored') return attempt;
  if (response?.state !== 'stored' || known === undefined) return undefined;
  const { clientOrderId, attempt: number, shard, contractMicros, limitPriceMicros } = known;
  const terms = { ...(shard !== undefined && { shard }), contractMicros, limitPriceMicros };
  return { clientOrderId, attempt: number, ...terms, state: 'stored' };
}
