import { impliedChance, type MarketView } from '#lib/market/marketView.ts';
import { type Spark, sparkOf } from '#lib/market/sparkline.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { readHourlyPrices } from '#server/domain/markets/prices/hourlyPrices.ts';

/** The last day of these markets as lines, by ticker; only of traded markets with enough data. */
export async function sparksOf(markets: readonly MarketView[]): Promise<Map<string, Spark>> {
  const trading = new Map(
    markets.filter(({ status }) => status === 'open').map((market) => [market.ticker, market]),
  );
  const sparks = new Map<string, Spark>();
  if (trading.size === 0) return sparks;
  const prices = await readHourlyPrices(await getRuntime(), [...trading.keys()], Date.now());
  for (const [ticker, market] of trading) {
    const spark = sparkOf(prices.get(ticker) ?? [], impliedChance(market));
    if (spark) sparks.set(ticker, spark);
  }
  return sparks;
}
