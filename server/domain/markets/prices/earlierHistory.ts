import { eq, sql } from 'drizzle-orm';
import type { ExchangeCandle } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { markets, pricePoints } from '#server/platform/database/schema/markets.ts';
import { lastOfEach } from '../catalogue/lastOfEach.ts';
import type { MarketRecord } from '../catalogue/types.ts';
import { HOUR_MS } from './hours.ts';

/** Adjoining periods before now; recent ones in finer steps. */
const READS = [
  { periodMinutes: 1440, fromMs: 730 * 24 * HOUR_MS, toMs: 35 * 24 * HOUR_MS },
  { periodMinutes: 60, fromMs: 35 * 24 * HOUR_MS, toMs: 26 * HOUR_MS },
  { periodMinutes: 1, fromMs: 26 * HOUR_MS, toMs: 0 },
] as const;
const ROWS_A_STATEMENT = 2_000;

/** The part of a market's record that its history needs. */
export type HistoryMarket = Pick<MarketRecord, 'ticker' | 'seriesTicker' | 'openAt' | 'closeAt'>;

/**
 * Fetches a market's prices from before it was mirrored, once, when its history is first requested.
 * Recorded points are kept. If the exchange does not respond, or any part of its response cannot be
 * read, nothing changes and the next request retries. A market that is not mirrored has no record of
 * this; its stored points are one.
 */
export async function readEarlierHistory(
  deps: { database: Database; exchange: Exchange },
  market: HistoryMarket,
): Promise<void> {
  const { ticker } = market;
  const { orm } = deps.database;
  const [mirrored] = await orm
    .select({ historyReadAt: markets.historyReadAt })
    .from(markets)
    .where(eq(markets.ticker, ticker));
  const isRead = mirrored
    ? mirrored.historyReadAt !== null
    : await hasPoints(deps.database, ticker);
  if (isRead) return;
  const candles = await readCandles(deps.exchange, market);
  await orm.transaction(async (tx) => {
    await saveCandles(tx, ticker, candles);
    await tx.update(markets).set({ historyReadAt: sql`now()` }).where(eq(markets.ticker, ticker));
  });
}

async function hasPoints(database: Database, ticker: string): Promise<boolean> {
  const rows = await database.orm
    .select({ ticker: pricePoints.ticker })
    .from(pricePoints)
    .where(eq(pricePoints.ticker, ticker))
    .limit(1);
  return rows.length > 0;
}

/** All prices of a market that the exchange has, from its opening. */
async function readCandles(exchange: Exchange, market: HistoryMarket): Promise<ExchangeCandle[]> {
  const { ticker, seriesTicker } = market;
  const end = Math.min(Date.now(), market.closeAt.getTime());
  const candles = await Promise.all(
    READS.map(async ({ periodMinutes, fromMs, toMs }) => {
      const from = new Date(Math.max(end - fromMs, market.openAt.getTime()));
      const to = new Date(end - toMs);
      if (from >= to) return [];
      const asked = { ticker, seriesTicker, from, to, periodMinutes };
      return await exchange.catalogue.listCandles(asked);
    }),
  );
  return candles.flat();
}

async function saveCandles(
  tx: Queryable,
  ticker: string,
  candles: ExchangeCandle[],
): Promise<void> {
  const now = Date.now();
  const rows = lastOfEach(candles, (candle) => candle.at.toISOString())
    .filter((candle) => candle.at.getTime() <= now)
    .map((candle) => ({ ticker, ...candle }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await tx
      .insert(pricePoints)
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflictDoNothing();
  }
}
