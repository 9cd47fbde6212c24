import { randomUUID } from 'node:crypto';
import type { OrderDeps } from '#server/domain/orders/create/createOrder.ts';
import { autoRedeem } from '#server/domain/orders/redeem/redeemPositions.ts';
import type { ReconcileDeps } from '#server/domain/reconciliation/findDifferences.ts';
import { reconcile } from '#server/domain/reconciliation/reconcile.ts';
import { takeReconciliationTurn } from '#server/domain/reconciliation/runs.ts';
import { placeReplacements } from '#server/domain/replacements/placeReplacements.ts';
import {
  advanceSettlements,
  type SettlementDeps,
} from '#server/domain/settlement/advanceSettlements.ts';
import { createProposalWatch } from '#server/domain/settlement/unexpectedProposals.ts';
import { takeTurn } from '#server/platform/database/turns.ts';
import { pause, pollUntilAborted } from '../runner/polling.ts';
import type { WorkSignal } from '../runner/workSignal.ts';

const SETTLEMENT_POLL_MS = 1_000;
const SETTLEMENT_TURN_MS = 800;

/**
 * Follows the exchange's final results: has the vault fund and open the payouts, and redeems for
 * holders who opted in.
 */
export async function settleMarkets(
  deps: SettlementDeps & OrderDeps & { work: WorkSignal },
  signal: AbortSignal,
): Promise<void> {
  const watchProposals = createProposalWatch(deps);
  const failure = 'market settlement failed';
  const options = {
    log: deps.log,
    signal,
    pollMs: SETTLEMENT_POLL_MS,
    errorPauseMs: 5_000,
    failure,
  };
  await pollUntilAborted(options, async () => {
    if (!(await takeTurn(deps.database.orm, 'settle markets', SETTLEMENT_TURN_MS))) return false;
    await watchProposals();
    if (await advanceSettlements(deps)) {
      for (const kind of ['register', 'propose', 'finalize']) deps.work.ring(kind);
    }
    await autoRedeem(deps);
    return false;
  });
}

const EVERY_SECONDS = 60;
const TURN_POLL_MS = 5_000;

/** Compares ledger, exchange and chain every minute, in one of the processors. */
export async function runReconcileLoop(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const token = randomUUID();
  const pauses = { pollMs: TURN_POLL_MS, errorPauseMs: TURN_POLL_MS };
  await pause(TURN_POLL_MS, signal);
  await pollUntilAborted(
    { log: deps.log, signal, ...pauses, failure: 'reconciliation failed' },
    async () => {
      if (!(await takeReconciliationTurn(deps.database, token, EVERY_SECONDS))) return false;
      const run = await reconcile(deps, (milliseconds) => pause(milliseconds, signal));
      const { status, cost } = run;
      const [differences, suspicions] = [run.differences.length, run.suspicions.length];
      deps.log.debug({ status, differences, suspicions, ...cost }, 'reconciled');
      return false;
    },
  );
}

/** Between looks at amended orders whose funds are back. */
const REPLACEMENT_POLL_MS = 500;

/** Places what takes the place of orders that were amended beyond what was locked for them. */
export async function runReplacementLoop(deps: OrderDeps, signal: AbortSignal): Promise<void> {
  const failure = 'placing the replacement of an order failed';
  const pauses = { pollMs: REPLACEMENT_POLL_MS, errorPauseMs: 5_000 };
  await pollUntilAborted({ log: deps.log, signal, ...pauses, failure }, async () => {
    await placeReplacements(deps);
    return false;
  });
}
