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
/** A line over a month may be this old; it is read again after a minute, and no visitor waits. */
const KEPT_MS = 15 * 60_000;
const RENEWED_AFTER_MS = 60_000;
const MONTH_MS = 30 * 86_400_000;
/** The page does not wait longer; the next visitor gets what was read meanwhile. */
const TIMEOUT_MS = 250;

/**
 * The first of these events whose outcome is open and whose last month is known. If its prices are
 * late, it has no lines: the page refreshes itself, and must not gain a part by that.
 */
export async function featuredEvent(events: readonly ListedEvent[]): Promise<Featured | undefined> {
  const event = events.find(isWorthSeeing);
  if (!event) return undefined;
  const shown = mostInformative(event, OUTCOMES);
  const read = chancesOf(await getRuntime());
  const lines = await withTimeout(
    Promise.all(shown.map(({ ticker }) => read(ticker))).catch(() => undefined),
    TIMEOUT_MS,
  );
  const times = lines?.flat().map(({ atMs }) => atMs) ?? [];
  if (lines && times.length < LEAST_POINTS) return undefined;
  return {
    event,
    outcomes: shown.map((market, index) => ({ market, points: lines?.[index] ?? [] })),
    fromMs: times.length > 0 ? Math.min(...times) : Date.now() - MONTH_MS,
  };
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
  createTimedCache<TimedChance[]>(
    KEPT_MS,
    async (ticker) => {
      const market = await findMarket(runtime, ticker);
      const points = market ? await listPriceHistory(runtime, market, '1m') : [];
      return points.flatMap(({ at, ...prices }) => {
        const chanceMicros = impliedChance({ ...prices, noBidMicros: null, noAskMicros: null });
        return chanceMicros === null ? [] : [{ atMs: at.getTime(), chanceMicros }];
      });
    },
    { renewAfterMs: RENEWED_AFTER_MS },
  ),
);
