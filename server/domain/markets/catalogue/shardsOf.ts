import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { markets } from '#server/platform/database/schema/markets.ts';

/** The shards of mirrored markets, by ticker. */
export async function listShardsOf(
  db: Queryable,
  tickers: readonly string[],
): Promise<Map<string, number>> {
  if (tickers.length === 0) return new Map();
  const rows = await db
    .select({ ticker: markets.ticker, shard: markets.shard })
    .from(markets)
    .where(isOneOf(markets.ticker, [...tickers]));
  return new Map(rows.map(({ ticker, shard }) => [ticker, shard]));
}
