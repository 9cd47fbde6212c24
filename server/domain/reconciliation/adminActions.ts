import type { Database } from '#server/platform/database/client.ts';
import { recordAudit } from '../admin/audit.ts';
import { NotAllowedError } from '../admin/notAllowed.ts';
import {
  EVERY_MARKET,
  liftSuspensions,
  listSuspensions,
  suspendMarket,
} from '../admin/suspensions.ts';
import { type Difference, describe, excessMicros, keyOf } from './difference.ts';
import { readBaselines, storeBaseline } from './runs.ts';

type MarketHalt = { ticker: string; by: string; reason: string };

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

/**
 * Accepts differences: from now on they count as explained, and only further excess counts. Each
 * writes to the audit trail. The next comparison reopens the markets.
 */
export async function acceptDifferences(
  deps: { database: Database },
  input: { differences: Difference[]; by: string; note: string },
): Promise<void> {
  const before = await readBaselines(deps.database.orm);
  for (const difference of input.differences) {
    const { kind, subject } = difference;
    const known = before.get(keyOf(difference)) ?? 0n;
    // The expected positions and cash already include their baseline; the others do not.
    const isCounted = kind === 'exchange_cash' || kind === 'exchange_position';
    const amountMicros = excessMicros(difference) + (isCounted ? known : 0n);
    await deps.database.orm.transaction(async (tx) => {
      const baseline = { kind, subject, amountMicros, note: input.note, acceptedBy: input.by };
      await storeBaseline(tx, baseline, { onlyIfNone: false });
      const entry = {
        actor: input.by,
        action: 'accept_difference',
        subject: keyOf(difference),
        reason: `${input.note} (${describe(difference)})`,
        before: { amountMicros: known.toString() },
        after: { amountMicros: amountMicros.toString() },
      };
      await recordAudit({ database: { orm: tx } }, entry);
    });
  }
}
