import type { Database } from '../../platform/database/client.ts';
import { recordAudit } from '../admin/audit.ts';
import { NotAllowedError } from '../admin/notAllowed.ts';
import {
  EVERY_MARKET,
  liftSuspensions,
  listSuspensions,
  suspendMarket,
} from '../admin/suspensions.ts';

export type MarketHalt = { ticker: string; by: string; reason: string };

const PUBLIC_REASON = 'Suspended by an admin.';

/**
 * Stops new orders of one market or all, and refunds orders that the exchange has not received.
 * @returns false when the same admin had already stopped them
 */
export async function stopTrading(
  deps: { database: Database },
  { ticker, by, reason }: MarketHalt,
): Promise<boolean> {
  return await deps.database.orm.transaction(async (tx) => {
    const inTx = { database: { orm: tx } };
    const stopped = await suspendMarket(inTx, { ticker, reason: PUBLIC_REASON, by });
    const action = ticker === EVERY_MARKET ? 'pause_trading' : 'suspend_market';
    if (stopped) await recordAudit(inTx, { actor: by, action, subject: ticker, reason });
    return stopped;
  });
}

/**
 * Resumes trading, regardless of who stopped it. @throws {NotAllowedError} when trading is not
 * stopped
 */
export async function resumeTrading(
  deps: { database: Database },
  { ticker, by, reason }: MarketHalt,
): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const inTx = { database: { orm: tx } };
    const current = await listSuspensions(inTx, ticker);
    if (current.length === 0) {
      const what = ticker === EVERY_MARKET ? 'Trading is not paused' : `${ticker} is not suspended`;
      throw new NotAllowedError(`${what}.`);
    }
    await liftSuspensions(inTx, { ids: current.map((one) => one.id), by });
    const action = ticker === EVERY_MARKET ? 'resume_trading' : 'lift_suspension';
    await recordAudit(inTx, { actor: by, action, subject: ticker, reason, before: current });
  });
}
