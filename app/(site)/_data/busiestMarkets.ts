import { changePoints } from '#lib/market/marketView.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { listMarkets } from '#server/domain/markets/catalogue/catalogue.ts';
import type { MarketRecord } from '#server/domain/markets/catalogue/types.ts';

/** Only traded markets count; in an idle one a single trade would be the biggest move. */
const BUSIEST = 400;

/** Open markets by the contracts traded in a day. */
export async function busiestMarkets(category?: string): Promise<MarketRecord[]> {
  const { markets } = await listMarkets(await getRuntime(), {
    limit: BUSIEST,
    status: 'open',
    sort: 'volume_24h',
    ...(category !== undefined && { category }),
  });
  return markets;
}

/** A market for its whole series. */
export type SeriesLeader = { market: MarketRecord; moreInSeries: number };

/** The first market of each series, with the number of further events of the series. */
export function firstOfEachSeries(markets: readonly MarketRecord[]): SeriesLeader[] {
  const bySeries = Map.groupBy(markets, ({ seriesTicker }) => seriesTicker);
  return [...bySeries.values()].flatMap((ofSeries) => {
    const [market] = ofSeries;
    const events = new Set(ofSeries.map(({ eventTicker }) => eventTicker));
    return market ? [{ market, moreInSeries: events.size - 1 }] : [];
  });
}

/** The largest changes of chance in a day, one per series. */
export function biggestMoves(markets: readonly MarketRecord[], count: number): SeriesLeader[] {
  const size = (market: MarketRecord) => Math.abs(changePoints(market) ?? 0);
  const moved = markets.filter((market) => size(market) > 0).sort((a, b) => size(b) - size(a));
  return firstOfEachSeries(moved).slice(0, count);
}
