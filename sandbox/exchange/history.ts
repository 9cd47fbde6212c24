import { beliefIn, type ExchangeMarket, gridOf } from './market.ts';
import { hash32, unit } from './random.ts';
import { gridIndexBelow } from './ticks.ts';

/**
 * The trades of a market before the sandbox first ran. They follow the same belief as live ones and
 * depend only on the seed, so they are generated on request and stored nowhere.
 */
export type Trade = {
  tradeId: string;
  ticker: string;
  contractMicros: bigint;
  priceMicros: bigint;
  takerSide: 'bid' | 'ask';
  at: number;
  /** Open interest after this trade. */
  openInterestMicros: bigint;
};

export const HOUR_MS = 3_600_000;
const MOST_TRADES = 1_200;
const RECENT_HOURS = 48;

/** Sizes repeat in a cycle, so that a sum needs no generated trades. */
const SIZE_CYCLE = Array.from({ length: 61 }, (_, index) => 0.15 + 2.6 * unit('size', index) ** 3);

/** Contracts traded before `until`: total, and per hour of the last day. */
export function pastVolume(market: ExchangeMarket, until: number) {
  const hourly = new Map<number, bigint>();
  let hundredths = 0;
  const recent = until - 24 * HOUR_MS;
  for (const [index, at] of momentsOf(market, until).entries()) {
    const size = sizeOf(market, index);
    hundredths += size;
    if (at < recent) continue;
    const hour = Math.floor(at / HOUR_MS);
    hourly.set(hour, (hourly.get(hour) ?? 0n) + BigInt(size) * 10_000n);
  }
  return { totalMicros: BigInt(hundredths) * 10_000n, hourly };
}

/** Two fifths of the traded contracts are still held. */
export function heldAfter(volumeMicros: bigint): bigint {
  return (((volumeMicros / 10_000n) * 2n) / 5n) * 10_000n;
}

/** The last price before `until`; undefined when the market was not open yet. */
export function pastLastPrice(market: ExchangeMarket, until: number): bigint | undefined {
  const at = momentsOf(market, until).at(-1);
  return at === undefined ? undefined : priceAt(market, at);
}

const cache = new Map<string, { until: number; trades: Trade[] }>();
const CACHED_MARKETS = 64;

/** All trades between a market's opening and `until`, oldest first. */
export function pastTrades(market: ExchangeMarket, until: number): Trade[] {
  const known = cache.get(market.ticker);
  if (known && known.until === until) return known.trades;
  let volumeMicros = 0n;
  const trades = momentsOf(market, until).map((at, index): Trade => {
    const contractMicros = BigInt(sizeOf(market, index)) * 10_000n;
    volumeMicros += contractMicros;
    return {
      tradeId: `${market.ticker}-${index}`,
      ticker: market.ticker,
      contractMicros,
      priceMicros: priceAt(market, at),
      takerSide: unit(market.ticker, index, 'side') < 0.5 ? 'bid' : 'ask',
      at,
      openInterestMicros: heldAfter(volumeMicros),
    };
  });
  if (cache.size >= CACHED_MARKETS) {
    const oldest = cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
  }
  cache.set(market.ticker, { until, trades });
  return trades;
}

/** Contracts of a usual trade; in busy markets one simulated trade represents many. */
export function typicalSize(market: ExchangeMarket): number {
  return 4 + 2_400 * market.weight ** 4;
}

function sizeOf(market: ExchangeMarket, index: number): number {
  const weight = SIZE_CYCLE[(index + market.index * 7) % SIZE_CYCLE.length] ?? 1;
  return Math.max(1, Math.round(typicalSize(market) * weight * 100));
}

function priceAt(market: ExchangeMarket, at: number): bigint {
  const grid = gridOf(market);
  const shift = (unit(hash32(market.ticker, Math.floor(at / 1000))) - 0.5) * 0.012;
  const target = BigInt(Math.round((beliefIn(market, at) + shift) * 1_000_000));
  return grid[Math.max(gridIndexBelow(grid, target), 0)] ?? 500_000n;
}

/** Every half hour of the last two days, coarser before, up to a maximum number. */
function momentsOf(market: ExchangeMarket, until: number): number[] {
  const { openAt, closeAt } = market.event.life;
  const to = Math.min(until, closeAt);
  if (to <= openAt) return [];
  const recentFrom = Math.max(openAt, to - RECENT_HOURS * HOUR_MS);
  const recentStep = Math.max(Math.min(HOUR_MS / 2, (to - openAt) / 12), 15_000);
  const oldCount = MOST_TRADES - Math.ceil((to - recentFrom) / recentStep);
  const oldStep = Math.max((recentFrom - openAt) / oldCount, 2 * HOUR_MS);
  const moments: number[] = [];
  for (let at = openAt + oldStep * 0.37; at < recentFrom; at += oldStep)
    moments.push(Math.floor(at));
  for (let at = recentFrom + recentStep * 0.37; at < to; at += recentStep) {
    moments.push(Math.floor(at));
  }
  return moments;
}
