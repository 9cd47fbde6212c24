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
 * Stops new orders of a market, or of all of them, and sends back those that the exchange has not
 * been asked for. @returns false when the same person had done so already
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

/** Takes orders again, whoever had stopped them. @throws {NotAllowedError} when nobody has */
export async function resumeTrading(
  deps: { database: Database },
  { ticker, by, reason }: MarketHalt,
): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const inTx = { database: { orm: tx } };
    const standing = await listSuspensions(inTx, ticker);
    if (standing.length === 0) {
      const what = ticker === EVERY_MARKET ? 'Trading is not paused' : `${ticker} is not suspended`;
      throw new NotAllowedError(`${what}.`);
    }
    await liftSuspensions(inTx, { ids: standing.map((one) => one.id), by });
    const action = ticker === EVERY_MARKET ? 'resume_trading' : 'lift_suspension';
    await recordAudit(inTx, { actor: by, action, subject: ticker, reason, before: standing });
  });
}
