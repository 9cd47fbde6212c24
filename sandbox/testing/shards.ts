import type { Exchange } from '#server/exchange/port.ts';

/** The shard that trades a market. */
export async function shardOf(
  exchange: Pick<Exchange, 'getMarket'>,
  ticker: string,
): Promise<number> {
  const market = await exchange.getMarket(ticker);
  if (!market) throw new Error(`the exchange does not list ${ticker}`);
  return market.shard;
}
