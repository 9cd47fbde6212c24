import { randomUUID } from 'node:crypto';
import { takeTurn } from '#server/domain/reconciliation/lease.ts';
import { type ReconcileDeps, reconcile } from '#server/domain/reconciliation/reconcile.ts';
import { pause } from '../runner/pause.ts';

const EVERY_SECONDS = 60;
const TURN_POLL_MS = 5_000;

/** Compares ledger, exchange and chain every minute, in one of the processors. */
export async function runReconcileLoop(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const token = randomUUID();
  while (!signal.aborted) {
    await pause(TURN_POLL_MS, signal);
    if (signal.aborted) return;
    try {
      if (!(await takeTurn(deps.database, token, EVERY_SECONDS))) continue;
      const run = await reconcile(deps, (milliseconds) => pause(milliseconds, signal));
      const { status, differences, suspicions, cost } = run;
      deps.log.debug(
        { status, differences: differences.length, suspicions: suspicions.length, ...cost },
        'reconciled',
      );
    } catch (error) {
      deps.log.error({ err: error }, 'reconciliation failed');
    }
  }
}
