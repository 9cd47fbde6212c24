import type { OrderDeps } from '#server/domain/orders/create/createOrder.ts';
import { autoRedeem } from '#server/domain/orders/redeem/redeemPositions.ts';
import type { ReconcileDeps } from '#server/domain/reconciliation/findDifferences.ts';
import { reconcile } from '#server/domain/reconciliation/reconcile.ts';
import { placeReplacements } from '#server/domain/replacements/placeReplacements.ts';
import {
  advanceSettlements,
  type SettlementDeps,
} from '#server/domain/settlement/advanceSettlements.ts';
import { createProposalWatch } from '#server/domain/settlement/unexpectedProposals.ts';
import { putOffTurn, takeTurn } from '#server/platform/database/turns.ts';
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

const COMPARISON = 'compare books';
const EVERY_MS = 60_000;
const TURN_POLL_MS = 5_000;
/** A comparison reads all books: it pauses nine times as long as it read. */
const PAUSE_FACTOR = 9;

/**
 * Compares ledger, exchange and chain every minute, in one of the processors; less often where a
 * comparison takes longer than six seconds.
 */
export async function runReconcileLoop(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const pauses = { pollMs: TURN_POLL_MS, errorPauseMs: TURN_POLL_MS };
  await pause(TURN_POLL_MS, signal);
  await pollUntilAborted(
    { log: deps.log, signal, ...pauses, failure: 'reconciliation failed' },
    async () => {
      const { orm } = deps.database;
      if (!(await takeTurn(orm, COMPARISON, EVERY_MS))) return false;
      const run = await reconcile(deps, (milliseconds) => pause(milliseconds, signal));
      const { status, cost } = run;
      // One that failed is repeated in a minute: what it waited for may be back.
      if (status !== 'failing') {
        await putOffTurn(orm, COMPARISON, PAUSE_FACTOR * cost.milliseconds);
      }
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
