import { eq, inArray, sql } from 'drizzle-orm';
import type { Market } from '#lib/api/schemas/market.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { webhookSettlements, webhooks } from '#server/platform/database/schema/webhooks.ts';
import { getMarket } from '../../markets/catalogue/catalogue.ts';
import { type FinalResult, listNewlyFinal } from '../../markets/catalogue/finalResults.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import { filterTraded } from '../../orders/read/tradedTickers.ts';
import type { WebhookRow } from './describe.ts';
import { storeMessage, wants } from './messages.ts';

/** How far before the last one told we look for more: settlements are not heard of in order. */
const LOOKBACK_MINUTES = 15;
/** What was told is remembered for as long as it could be found again. */
const FORGET_AFTER_DAYS = 7;
const MAX_AT_ONCE = 10_000;

/**
 * Tells the webhooks of everybody who has traded in a market that it pays out now. Each market is
 * noted in the transaction that makes its message.
 *
 * @returns how many deliveries came of it; undefined when another process is at it
 */
export async function publishSettlements(
  database: Database,
  describeMarket: (market: MarketRecord) => Market,
): Promise<number | undefined> {
  const since = await lastPublishedAt(database);
  const settled = await listNewlyFinal({ database }, { since, limit: MAX_AT_ONCE });
  const fresh = await withoutPublished(database.orm, settled);
  if (fresh.length === 0) return 0;
  return await database.orm.transaction(async (tx) => {
    const lock = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('webhooks tell settlements', 0)) as held`,
    );
    if (lock.rows[0]?.held !== true) return undefined;
    const unpublished = await withoutPublished(tx, fresh);
    const listeners = await findListeners(tx, unpublished);
    let made = 0;
    for (const [ticker, webhookIds] of listeners) {
      const market = describeMarket(await getMarket({ database }, ticker));
      made += (await storeMessage(tx, messageOf(market, webhookIds))).length;
    }
    await markPublished(tx, unpublished);
    return made;
  });
}

function messageOf(market: Market, webhookIds: readonly string[]) {
  const timestamp = market.settlement?.settledAt ?? new Date().toISOString();
  return {
    source: `market_settled:${market.ticker}`,
    webhookIds,
    payload: { type: 'market.settled' as const, timestamp, data: { market } },
  };
}

async function withoutPublished(
  db: Queryable,
  settled: readonly FinalResult[],
): Promise<FinalResult[]> {
  if (settled.length === 0) return [];
  const tickers = settled.map((market) => market.ticker);
  const told = await db
    .select({ ticker: webhookSettlements.ticker })
    .from(webhookSettlements)
    .where(inArray(webhookSettlements.ticker, tickers));
  const known = new Set(told.map((row) => row.ticker));
  return settled.filter((market) => !known.has(market.ticker));
}

/** By market, the webhooks of those who traded in it. */
async function findListeners(
  tx: Queryable,
  settled: readonly FinalResult[],
): Promise<Map<string, string[]>> {
  const enabled = await tx.select().from(webhooks).where(eq(webhooks.enabled, true));
  const found = new Map<string, string[]>();
  for (const webhook of enabled.filter((one) => wants(one, 'market.settled'))) {
    for (const ticker of await tradedBy(tx, webhook, settled)) {
      found.set(ticker, [...(found.get(ticker) ?? []), webhook.id]);
    }
  }
  return found;
}

async function tradedBy(
  tx: Queryable,
  webhook: WebhookRow,
  settled: readonly FinalResult[],
): Promise<string[]> {
  const tickers = settled.map((market) => market.ticker);
  const trader =
    webhook.apiKeyId === null
      ? { ownerAddress: webhook.ownerAddress ?? '' }
      : { apiKeyId: webhook.apiKeyId };
  return await filterTraded(tx, trader, tickers);
}

async function markPublished(tx: Queryable, settled: readonly FinalResult[]): Promise<void> {
  if (settled.length > 0) {
    await tx
      .insert(webhookSettlements)
      .values(settled.map(({ ticker }) => ({ ticker })))
      .onConflictDoNothing();
  }
  // The newest stays, to say how far we are.
  await tx.execute(sql`
    delete from ${webhookSettlements}
    where at < (select max(at) from ${webhookSettlements}) - ${FORGET_AFTER_DAYS} * interval '1 day'`);
}

/** A little before the last settlement told; at first, a day ago. */
async function lastPublishedAt(database: Database): Promise<Date> {
  const found = await database.orm.execute<{ since: Date }>(sql`
    select coalesce(max(at) - ${LOOKBACK_MINUTES} * interval '1 minute', now() - interval '1 day')
      as since from ${webhookSettlements}`);
  return new Date(found.rows[0]?.since ?? 0);
}
