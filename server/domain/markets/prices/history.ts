import { and, eq, gte, sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pricePoints } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import type { PricePoint, PriceRangeName } from '../catalogue/types.ts';
import { type HistoryMarket, readEarlierHistory } from './earlierHistory.ts';

const HOUR_S = 3_600;
/** The span of a range and the width of its points, in seconds; a few hundred points each. */
const RANGES: Record<PriceRangeName, { spanS: number | undefined; bucketS: number }> = {
  '1h': { spanS: HOUR_S, bucketS: 60 },
  '6h': { spanS: 6 * HOUR_S, bucketS: 60 },
  '1d': { spanS: 24 * HOUR_S, bucketS: 300 },
  '1w': { spanS: 7 * 24 * HOUR_S, bucketS: HOUR_S / 2 },
  '1m': { spanS: 31 * 24 * HOUR_S, bucketS: 2 * HOUR_S },
  all: { spanS: undefined, bucketS: 6 * HOUR_S },
};

/**
 * Prices that this service recorded, oldest first: the last one in each bucket. The exchange
 * supplies earlier prices when a market's history is first requested.
 */
export async function listPriceHistory(
  deps: { database: Database; exchange: Exchange; log: Log },
  market: HistoryMarket,
  range: PriceRangeName,
): Promise<PricePoint[]> {
  const { ticker } = market;
  const { spanS, bucketS } = RANGES[range];
  await readEarlierHistory(deps, market).catch((error: unknown) =>
    deps.log.warn({ err: error, ticker }, 'earlier prices not read'),
  );
  // Inlined: DISTINCT ON and ORDER BY must be the same expression.
  const width = sql.raw(`interval '${bucketS} seconds'`);
  const bucket = sql`date_bin(${width}, ${pricePoints.at}, 'epoch')`;
  return await deps.database.orm
    .selectDistinctOn([bucket as never], {
      at: pricePoints.at,
      yesBidMicros: pricePoints.yesBidMicros,
      yesAskMicros: pricePoints.yesAskMicros,
      lastPriceMicros: pricePoints.lastPriceMicros,
      volumeContractMicros: pricePoints.volumeContractMicros,
    })
    .from(pricePoints)
    .where(
      and(
        eq(pricePoints.ticker, ticker),
        spanS === undefined
          ? undefined
          : gte(pricePoints.at, sql`now() - ${spanS} * interval '1 second'`),
      ),
    )
    .orderBy(bucket, sql`${pricePoints.at} desc`)
    .then((points) => points.toSorted((a, b) => a.at.getTime() - b.at.getTime()));
}
