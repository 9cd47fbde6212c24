import type { OrderDeps } from '#server/domain/orders/create/createOrder.ts';
import { autoRedeem } from '#server/domain/orders/redeem/autoRedeem.ts';
import {
  advanceSettlements,
  type SettlementDeps,
} from '#server/domain/settlement/advanceSettlements.ts';
import { createProposalWatch } from '#server/domain/settlement/unexpectedProposals.ts';
import { pause } from '../runner/pause.ts';
import type { WorkSignal } from '../runner/workSignal.ts';

const POLL_MS = 1_000;
const ERROR_PAUSE_MS = 5_000;

/**
 * Follows the exchange's final results: has the vault fund and open the payouts, and redeems for
 * holders who opted in.
 */
export async function settleMarkets(
  deps: SettlementDeps & OrderDeps & { work: WorkSignal },
  signal: AbortSignal,
): Promise<void> {
  const watchProposals = createProposalWatch(deps);
  while (!signal.aborted) {
    try {
      await watchProposals();
      if (await advanceSettlements(deps)) {
        for (const kind of ['register', 'propose', 'finalize']) deps.work.ring(kind);
      }
      await autoRedeem(deps);
      await pause(POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error }, 'market settlement failed');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}
