import { and, eq, isNull, sql } from 'drizzle-orm';
import type { ExchangeCandle } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { markets, pricePoints } from '#server/platform/database/schema/markets.ts';
import { lastOfEach } from '../catalogue/lastOfEach.ts';
import { HOUR_MS } from './hours.ts';

/** Adjoining periods before now; recent ones in finer steps. */
const READS = [
  { periodMinutes: 1440, fromMs: 730 * 24 * HOUR_MS, toMs: 35 * 24 * HOUR_MS },
  { periodMinutes: 60, fromMs: 35 * 24 * HOUR_MS, toMs: 26 * HOUR_MS },
  { periodMinutes: 1, fromMs: 26 * HOUR_MS, toMs: 0 },
] as const;
const ROWS_A_STATEMENT = 2_000;

/**
 * Fetches a market's prices from before it was mirrored, once, when its history is first requested.
 * Recorded points are kept. If the exchange does not respond, nothing changes and the next request
 * retries.
 */
export async function readEarlierHistory(
  deps: { database: Database; exchange: Exchange },
  ticker: string,
): Promise<void> {
  const [market] = await deps.database.orm
    .select({
      seriesTicker: markets.seriesTicker,
      openAt: markets.openAt,
      closeAt: markets.closeAt,
    })
    .from(markets)
    .where(and(eq(markets.ticker, ticker), isNull(markets.historyReadAt)));
  if (!market) return;
  const end = Math.min(Date.now(), market.closeAt.getTime());
  const candles = await Promise.all(
    READS.map(async ({ periodMinutes, fromMs, toMs }) => {
      const from = new Date(Math.max(end - fromMs, market.openAt.getTime()));
      const to = new Date(end - toMs);
      if (from >= to) return [];
      return await deps.exchange.catalogue.listCandles({
        ...market,
        ticker,
        from,
        to,
        periodMinutes,
      });
    }),
  );
  await saveCandles(deps.database, ticker, candles.flat());
  await deps.database.orm
    .update(markets)
    .set({ historyReadAt: sql`now()` })
    .where(eq(markets.ticker, ticker));
}

async function saveCandles(
  database: Database,
  ticker: string,
  candles: ExchangeCandle[],
): Promise<void> {
  const now = Date.now();
  const rows = lastOfEach(candles, (candle) => candle.at.toISOString())
    .filter((candle) => candle.at.getTime() <= now)
    .map((candle) => ({ ticker, ...candle }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await database.orm
      .insert(pricePoints)
      .values(rows.slice(from, from + ROWS_A_STATEMENT))
      .onConflictDoNothing();
  }
}
