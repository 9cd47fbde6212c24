import type { Featured } from '#components/market/FeaturedEvent.tsx';
import type { TimedChance } from '#lib/market/comparisonChart.ts';
import {
  impliedChance,
  isUndecided,
  type ListedEvent,
  mostInformative,
} from '#lib/market/marketView.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { findMarket } from '#server/domain/markets/catalogue/catalogue.ts';
import { listPriceHistory } from '#server/domain/markets/prices/history.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';
import type { Runtime } from '#server/runtime.ts';

const OUTCOMES = 3;
/** An event that ends soon has a place of its own on the page. */
const LEAST_LEFT_MS = 86_400_000;
/** With fewer prices there is nothing to see. */
const LEAST_POINTS = 8;
const SHARED_MS = 60_000;
/** The page does not wait longer; the next visitor gets what was read meanwhile. */
const TIMEOUT_MS = 250;

/** The first of these events whose outcome is open and whose last month is known. */
export async function featuredEvent(events: readonly ListedEvent[]): Promise<Featured | undefined> {
  const event = events.find(isWorthSeeing);
  if (!event) return undefined;
  const read = chancesOf(await getRuntime());
  const outcomes = await withTimeout(
    Promise.all(
      mostInformative(event, OUTCOMES).map(async (market) => ({
        market,
        points: await read(market.ticker),
      })),
    ).catch(() => undefined),
    TIMEOUT_MS,
  );
  const times = outcomes?.flatMap(({ points }) => points.map(({ atMs }) => atMs)) ?? [];
  if (outcomes === undefined || times.length < LEAST_POINTS) return undefined;
  return { event, outcomes, fromMs: Math.min(...times) };
}

function isWorthSeeing(event: ListedEvent): boolean {
  const shown = mostInformative(event, OUTCOMES);
  return (
    shown.length > 1 &&
    shown.some(isUndecided) &&
    shown.every(({ isScalar, status }) => !isScalar && status === 'open') &&
    shown.every(({ expectedEndTime }) => Date.parse(expectedEndTime) > Date.now() + LEAST_LEFT_MS)
  );
}

const chancesOf = memoizeByObject((runtime: Runtime) =>
  createTimedCache<TimedChance[]>(SHARED_MS, async (ticker) => {
    const market = await findMarket(runtime, ticker);
    const points = market ? await listPriceHistory(runtime, market, '1m') : [];
    return points.flatMap(({ at, ...prices }) => {
      const chanceMicros = impliedChance({ ...prices, noBidMicros: null, noAskMicros: null });
      return chanceMicros === null ? [] : [{ atMs: at.getTime(), chanceMicros }];
    });
  }),
);
