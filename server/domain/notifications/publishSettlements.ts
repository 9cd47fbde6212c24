import { inArray, sql } from 'drizzle-orm';
import type { Market } from '#lib/api/schemas/market.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { notifiedSettlements } from '#server/platform/database/schema/notifications.ts';
import { type FinalResult, listNewlyFinal } from '../markets/catalogue/finalResults.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { storeMessages, tryLock } from './outbox.ts';
import { pushSettlementMessages } from './push/messages.ts';
import { webhookSettlementMessages } from './webhooks/messages.ts';

export type SettlementDeps = {
  database: Database;
  chain: Chain;
  exchange: string;
  describeMarket: (market: MarketRecord) => Market;
};

/** How far back from the last published settlement to read: they do not arrive in order. */
const LOOK_BACK_MINUTES = 15;
/** Long after a published settlement can be read again. */
const FORGET_AFTER_DAYS = 7;
const MAX_AT_ONCE = 10_000;

/**
 * Stores the messages for markets that pay out now: for webhooks of traders and browsers of
 * holders. The same transaction records the market as published.
 *
 * @returns how many deliveries were stored; undefined when another process holds the lock
 */
export async function publishSettlements(deps: SettlementDeps): Promise<number | undefined> {
  const { database } = deps;
  const since = await lastPublished(database);
  const settled = await listNewlyFinal({ database }, { since, limit: MAX_AT_ONCE });
  if ((await withoutPublished(database.orm, settled)).length === 0) return 0;
  return await database.orm.transaction(async (tx) => {
    if (!(await tryLock(tx, 'publish settlements'))) return undefined;
    const fresh = await withoutPublished(tx, settled);
    // Read before the first write: the chain may be slow, and a transaction that has written delays
    // the position in the orders' log.
    const forWebhooks = await webhookSettlementMessages(deps, fresh);
    const forBrowsers = await pushSettlementMessages(deps, fresh);
    await recordPublished(tx, fresh);
    const stored = await storeMessages(tx, 'webhook', forWebhooks);
    return stored + (await storeMessages(tx, 'push', forBrowsers));
  });
}

async function withoutPublished(
  db: Queryable,
  settled: readonly FinalResult[],
): Promise<FinalResult[]> {
  if (settled.length === 0) return [];
  const tickers = settled.map((market) => market.ticker);
  const published = await db
    .select({ ticker: notifiedSettlements.ticker })
    .from(notifiedSettlements)
    .where(inArray(notifiedSettlements.ticker, tickers));
  const known = new Set(published.map((row) => row.ticker));
  return settled.filter((market) => !known.has(market.ticker));
}

async function recordPublished(tx: Queryable, settled: readonly FinalResult[]): Promise<void> {
  if (settled.length > 0) {
    await tx
      .insert(notifiedSettlements)
      .values(settled.map(({ ticker }) => ({ ticker })))
      .onConflictDoNothing();
  }
  // The newest row stays, because it is the position.
  await tx.execute(sql`
    delete from ${notifiedSettlements}
    where at < (select max(at) from ${notifiedSettlements}) - ${FORGET_AFTER_DAYS} * interval '1 day'`);
}

/** A little before the last settlement published; at first, a day ago. */
async function lastPublished(database: Database): Promise<Date> {
  const found = await database.orm.execute<{ since: Date }>(sql`
    select coalesce(max(at) - ${LOOK_BACK_MINUTES} * interval '1 minute', now() - interval '1 day')
      as since from ${notifiedSettlements}`);
  return new Date(found.rows[0]?.since ?? 0);
}
