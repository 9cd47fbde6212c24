import type { Queryable } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import { listAlerts, raiseAlert, resolveAlert } from '../admin/alerts.ts';
import { listSettledWithoutPayout } from '../markets/catalogue/finalResults.ts';

const KIND = 'settlement_unreadable';

/**
 * Raises an alert for each of our traded markets that the exchange has settled without a payout
 * that we can read: an admin proposes one and a second admin confirms it. Resolves those that have
 * a settlement since.
 * @param unsettled traded markets without a settlement
 */
export async function alertUnreadableResults(
  deps: { database: { orm: Queryable }; log: Log },
  unsettled: string[],
): Promise<void> {
  const unreadable = await listSettledWithoutPayout(deps, unsettled);
  const open = (await listAlerts(deps, { kind: KIND, limit: 1_000 })).map((one) => one.subject);
  for (const ticker of unreadable) {
    if (open.includes(ticker)) continue;
    await raiseAlert(deps, {
      kind: KIND,
      subject: ticker,
      internalDetail: 'the exchange’s record has no result that determines the payout',
    });
  }
  for (const subject of open) {
    if (!unreadable.includes(subject)) await resolveAlert(deps, { kind: KIND, subject });
  }
}
