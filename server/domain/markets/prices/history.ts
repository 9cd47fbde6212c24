import { and, eq, gte, sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pricePoints } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import type { PricePoint, PriceRangeName } from '../catalogue/types.ts';
import { type HistoryMarket, readEarlierHistory } from './earlierHistory.ts';

const HOUR_S = 3_600;
/** The span of a range and the width of its points, in seconds; a few hundred points each. */
const RANGES: Record<Exclude<PriceRangeName, 'all'>, { spanS: number; bucketS: number }> = {
  '1h': { spanS: HOUR_S, bucketS: 60 },
  '6h': { spanS: 6 * HOUR_S, bucketS: 60 },
  '1d': { spanS: 24 * HOUR_S, bucketS: 300 },
  '1w': { spanS: 7 * 24 * HOUR_S, bucketS: HOUR_S / 2 },
  '1m': { spanS: 31 * 24 * HOUR_S, bucketS: 2 * HOUR_S },
};
const LONGEST_BUCKET_S = 6 * HOUR_S;
const MOST_POINTS = 400;

/** A market's whole life in the widths of the other ranges: a young one in finer points. */
export function rangeOf(range: PriceRangeName, { openAt, closeAt }: HistoryMarket, nowMs: number) {
  if (range !== 'all') return RANGES[range];
  const lifeS = (Math.min(nowMs, closeAt.getTime()) - openAt.getTime()) / 1_000;
  const fitting = Object.values(RANGES).find(({ bucketS }) => lifeS / bucketS <= MOST_POINTS);
  return { spanS: undefined, bucketS: fitting?.bucketS ?? LONGEST_BUCKET_S };
}

/**
 * Prices that this service recorded, oldest first: the last one in each bucket. The exchange
 * supplies earlier prices when a market's history is first requested. The volume is that of the whole
 * bucket.
 */
export async function listPriceHistory(
  deps: { database: Database; exchange: Exchange; log: Log },
  market: HistoryMarket,
  range: PriceRangeName,
): Promise<PricePoint[]> {
  const { ticker } = market;
  const { spanS, bucketS } = rangeOf(range, market, Date.now());
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
      volumeContractMicros:
        sql`(sum(${pricePoints.volumeContractMicros}) over (partition by ${bucket}))::bigint`.mapWith(
          BigInt,
        ),
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
