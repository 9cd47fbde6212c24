import type { Chain } from '#server/chain/client.ts';
import type { Database } from '#server/platform/database/client.ts';
import { type FinalResult, listNewlyFinal } from '../../markets/catalogue/finalResults.ts';
import { listTraders } from '../../orders/read/tradedTickers.ts';
import { getPortfolio } from '../../portfolio/portfolio.ts';
import { NOTIFY_FOR_HOURS, storeNotification, subscriptionsOf } from './messages.ts';
import type { SubscriptionRow } from './subscriptions.ts';
import { settledNotification } from './texts.ts';

export type SettlementDeps = { database: Database; chain: Chain; exchange: string };

const MAX_AT_ONCE = 10_000;

/**
 * Makes notifications of markets that were decided, for owners who traded in them and hold
 * contracts of them. How far it is told is known to this process alone: what is told again after a
 * start, or by several, is stored once.
 * @returns a step that answers how many were stored
 */
export function settlementPublisher(deps: SettlementDeps): () => Promise<number> {
  let since = new Date(Date.now() - NOTIFY_FOR_HOURS * 3_600_000);
  let told = new Set<string>();
  return async () => {
    const { database } = deps;
    const settled = await listNewlyFinal({ database }, { since, limit: MAX_AT_ONCE });
    const fresh = settled.filter(({ ticker }) => !told.has(ticker));
    const stored = fresh.length === 0 ? 0 : await publishNew(deps, fresh);
    // Only now: what failed on the way is told the next time.
    since = settled.at(-1)?.seenAt ?? since;
    told = new Set(settled.map(({ ticker }) => ticker));
    return stored;
  };
}

async function publishNew(deps: SettlementDeps, settled: readonly FinalResult[]): Promise<number> {
  const { orm } = deps.database;
  const traders = await listTraders(
    orm,
    settled.map(({ ticker }) => ticker),
  );
  const browsers = await subscriptionsOf(orm, [...traders.keys()]);
  const owners = Map.groupBy(browsers, (browser) => browser.ownerAddress);
  let stored = 0;
  for (const [owner, own] of owners) {
    const traded = settled.filter(({ ticker }) => traders.get(owner)?.has(ticker));
    stored += await notifyOwner(deps, { owner, browsers: own, settled: traded });
  }
  return stored;
}

async function notifyOwner(
  deps: SettlementDeps,
  input: { owner: string; browsers: readonly SubscriptionRow[]; settled: readonly FinalResult[] },
): Promise<number> {
  const seenAt = new Map(input.settled.map((one) => [one.ticker, one.seenAt]));
  const portfolio = await getPortfolio(deps, { address: input.owner, chainId: deps.chain.id });
  let stored = 0;
  for (const entry of portfolio) {
    const at = seenAt.get(entry.venueMarket.marketId);
    const notification = at && settledNotification(entry);
    if (!notification) continue;
    const listening = input.browsers.filter((browser) => browser.createdAt <= at);
    stored += await storeNotification(deps.database.orm, {
      source: notification.tag,
      notification,
      subscriptionIds: listening.map(({ id }) => id),
    });
  }
  return stored;
}
