import { listAlerts, raiseAlert, resolveAlert } from '../admin/alerts.ts';
import { recordAudit } from '../admin/audit.ts';
import {
  BY_RECONCILIATION,
  liftSuspensions,
  listSuspensions,
  suspendMarket,
} from '../admin/suspensions.ts';
import { takeFoundFill } from '../orders/lifecycle/foundFill.ts';
import { findOrdersByIds } from '../orders/read/ownEvents.ts';
import { DIFFERENCE_KINDS, type Difference, describe, keyOf, persisting } from './difference.ts';
import { findDifferences, NotComparableError, type ReconcileDeps } from './findDifferences.ts';
import { type Cost, type Run, storeRun } from './runs.ts';

const SECOND_CHECK_MS = 2_500;
const MAX_COMPARISONS = 4;
const MOST_TRIES = 6;

/**
 * Compares ledger, exchange and chain. A difference found by two readings with the same amount
 * raises an alert that names it and stops new orders on the affected markets. Refunds, withdrawals
 * and existing orders always continue.
 */
export async function reconcile(
  deps: ReconcileDeps,
  wait: (milliseconds: number) => Promise<void>,
): Promise<Omit<Run, 'checkedAt'>> {
  const startedAt = new Date();
  const cost: Cost = { queries: 0, rpcCalls: 0, exchangeCalls: 0, milliseconds: 0 };
  try {
    const { differences, suspicions } = await compareTwice(deps, cost, wait);
    await act(deps, differences);
    await resolveFoundFills(deps, differences);
    const status = differences.length === 0 ? ('ok' as const) : ('differences' as const);
    const run = { startedAt, status, differences, suspicions, cost, failure: null };
    await storeRun(deps, run);
    await resolveAlert(deps, { kind: 'reconciliation_failing' });
    return run;
  } catch (error) {
    const failure = String(error);
    const run = { startedAt, status: 'failing' as const, differences: [], suspicions: [] };
    await raiseAlert(deps, { kind: 'reconciliation_failing', internalDetail: failure });
    await storeRun(deps, { ...run, cost, failure });
    return { ...run, cost, failure };
  }
}

/** Retries while the chain is being re-read. */
async function compareWithRetries(
  deps: ReconcileDeps,
  cost: Cost,
  wait: (milliseconds: number) => Promise<void>,
): Promise<Difference[]> {
  for (let tries = 1; ; tries += 1) {
    const begunMs = performance.now();
    try {
      return await findDifferences(deps, cost);
    } catch (error) {
      if (!(error instanceof NotComparableError) || tries === MOST_TRIES) throw error;
    } finally {
      cost.milliseconds += Math.round(performance.now() - begunMs);
    }
    await wait(SECOND_CHECK_MS);
  }
}

/** Reads again while a difference is new or has changed since the previous reading. */
async function compareTwice(
  deps: ReconcileDeps,
  cost: Cost,
  wait: (milliseconds: number) => Promise<void>,
): Promise<{ differences: Difference[]; suspicions: Difference[] }> {
  let seen = await compareWithRetries(deps, cost, wait);
  let differences: Difference[] = [];
  for (
    let comparisons = 1;
    comparisons < MAX_COMPARISONS && seen.length > differences.length;
    comparisons += 1
  ) {
    await wait(SECOND_CHECK_MS);
    const again = await compareWithRetries(deps, cost, wait);
    differences = persisting(again, seen);
    seen = again;
  }
  const counted = new Set(differences.map(keyOf));
  return { differences, suspicions: seen.filter((one) => !counted.has(keyOf(one))) };
}

async function act(deps: ReconcileDeps, differences: Difference[]): Promise<void> {
  for (const difference of differences) {
    await raiseAlert(deps, {
      kind: difference.kind === 'order_stuck' ? 'order_stuck' : 'reconciliation_difference',
      subject: keyOf(difference),
      detail: DIFFERENCE_KINDS[difference.kind],
      internalDetail: describe(difference),
    });
  }
  const current = new Set(differences.map(keyOf));
  for (const kind of ['reconciliation_difference', 'order_stuck'] as const) {
    for (const alert of await listAlerts(deps, { kind, limit: 1_000 })) {
      if (!current.has(alert.subject)) await resolveAlert(deps, { kind, subject: alert.subject });
    }
  }
  await resolveFailingSteps(deps);
  await suspendAndLift(deps, differences);
}

/**
 * Delivers or unwinds the fills by the rule of orders; the difference disappears once the ledger
 * records them.
 */
async function resolveFoundFills(deps: ReconcileDeps, differences: Difference[]): Promise<void> {
  for (const { kind, subject, tickers } of differences) {
    const [ticker] = tickers;
    if (kind !== 'exchange_order' || ticker === undefined) continue;
    await takeFoundFill(deps, { ticker, clientOrderId: subject }).catch((error: unknown) => {
      // The difference remains, and the next comparison retries.
      deps.log.error({ err: error, clientOrderId: subject }, 'a found fill could not be resolved');
    });
  }
}

/** Resolves alerts of steps that have succeeded since, or whose order has ended. */
async function resolveFailingSteps(deps: ReconcileDeps): Promise<void> {
  const open = await listAlerts(deps, { kind: 'step_failing', limit: 1_000 });
  if (open.length === 0) return;
  const orders = await findOrdersByIds(
    deps.database.orm,
    open.map((alert) => alert.subject),
  );
  for (const { kind, subject } of open) {
    const order = orders.get(subject);
    const isOpen = order && (!order.isComplete || order.isUnwinding);
    const isFailing = isOpen && order.failures > 0;
    if (!isFailing) await resolveAlert(deps, { kind: kind as 'step_failing', subject });
  }
}

async function suspendAndLift(deps: ReconcileDeps, differences: Difference[]): Promise<void> {
  const reasonOf = new Map<string, Difference>();
  for (const difference of differences) {
    for (const ticker of difference.tickers) reasonOf.set(ticker, difference);
  }
  for (const [ticker, difference] of reasonOf) {
    const reason = DIFFERENCE_KINDS[difference.kind];
    const isNew = await suspendMarket(deps, { ticker, reason, by: BY_RECONCILIATION });
    if (!isNew) continue;
    deps.log.error({ ticker, difference: describe(difference) }, 'new orders suspended');
    const entry = { actor: 'service', action: 'suspend_market', subject: ticker };
    await recordAudit(deps, { ...entry, reason: describe(difference) });
  }
  const resolved = (await listSuspensions(deps)).filter(
    (one) => one.suspendedBy === BY_RECONCILIATION && !reasonOf.has(one.ticker),
  );
  const ids = resolved.map((one) => one.id);
  for (const ticker of await liftSuspensions(deps, { ids, by: BY_RECONCILIATION })) {
    deps.log.info({ ticker }, 'new orders resumed');
    const entry = { actor: 'service', action: 'lift_suspension', subject: ticker };
    await recordAudit(deps, { ...entry, reason: 'the difference is gone' });
  }
}
