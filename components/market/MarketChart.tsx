import { useQuery } from '@tanstack/react-query';
import { ChartCandlestick, ChartLine as LineIcon } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';
import {
  candlesOf,
  hasVolumes,
  priceTicks,
  type Tick,
  tickLine,
  tradeTicks,
} from '#lib/browser/market/candles.ts';
import { chancePoints, endingAt } from '#lib/browser/market/chancePoints.ts';
import { chartStyleStore } from '#lib/browser/market/chartStyle.ts';
import { priceHistoryQuery } from '#lib/browser/queries/markets.ts';
import { roundTradesQuery } from '#lib/browser/queries/roundTrades.ts';
import { useStore } from '#lib/browser/storage/store.ts';
import { chartRanges, firstRange, isShortRound } from '#lib/market/chartRanges.ts';
import { impliedChance } from '#lib/market/marketView.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { CHANCE_SCALE, type ChartLine, PAYOUT_SCALE, PRICE_SCALE } from './chartLines.ts';
import type { ChartedMarket } from './PriceChartPanel.tsx';
import { RangeSwitch } from './RangeSwitch.tsx';
import { useRestLines } from './useRestLines.ts';
import { useTradeMarks } from './useTradeMarks.ts';

type MarketChartProps = { market: ChartedMarket; label?: string; renderedAtMs: number };

/** The chart of one market: its chance as a line, or its trades as candles with their volume. */
export function MarketChart({ market, label, renderedAtMs }: MarketChartProps) {
  const { ticker, isScalar } = market;
  const [range, setRange] = useState(() => firstRange(market, renderedAtMs));
  const style = useStore(chartStyleStore, 'line');
  const marks = useTradeMarks(ticker);
  const rests = useRestLines(ticker);
  const prices = usePrices(market, range, renderedAtMs);
  const isCandles = style === 'candles';
  const ranges = chartRanges(market, renderedAtMs);
  const line: ChartLine = {
    key: `${ticker} ${style}`,
    label: 'Yes',
    token: '--ink',
    points: isCandles ? tickLine(prices.ticks) : endingAt(prices.points, impliedChance(market)),
    marks,
    rests,
    ...(isCandles && { candles: candles(prices.ticks) }),
  };
  const quantity = isCandles ? 'Price' : isScalar ? 'Expected payout' : 'Chance';
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 id={`chart-${market.ticker}`} className="flex-1 font-semibold text-17">
          {quantity} over time
          {label && <span className="sr-only">, {label}</span>}
        </h2>
        {ranges.length > 1 && (
          <div className="@min-[36rem]:order-none order-last @min-[36rem]:basis-auto basis-full">
            <RangeSwitch ranges={ranges} value={range} onChange={setRange} />
          </div>
        )}
        <Segmented
          legend="Chart style"
          size="s"
          value={style}
          onChange={(next) => chartStyleStore.set(next)}
          options={STYLES}
        />
      </div>
      <ChartFrame
        lines={[line]}
        scale={isCandles ? PRICE_SCALE : isScalar ? PAYOUT_SCALE : CHANCE_SCALE}
        quantity={quantity}
        isPending={prices.isPending}
        isError={prices.isError}
      />
    </>
  );
}

const STYLES = [
  { value: 'line', label: <StyleLabel icon={LineIcon} name="Line" /> },
  { value: 'candles', label: <StyleLabel icon={ChartCandlestick} name="Candles" /> },
] as const;

/** An icon where there is no room for words. */
function StyleLabel({ icon: Icon, name }: { icon: typeof LineIcon; name: string }) {
  return (
    <>
      <Icon aria-hidden className="@min-[36rem]:hidden size-4" />
      <span className="@max-[36rem]:sr-only">{name}</span>
    </>
  );
}

/**
 * Every trade of a short round, and recorded prices of others. A round with more trades than a page
 * of them shows recorded prices too: a part of the trades would look like all.
 */
function usePrices(market: ChartedMarket, range: PriceHistoryRange, nowMs: number) {
  const { api } = useApp();
  const history = useQuery(priceHistoryQuery(api, market.ticker, range));
  const isRound = range === 'all' && isShortRound(market, nowMs);
  const trades = useQuery({ ...roundTradesQuery(api, market.ticker), enabled: isRound });
  const ticks = isRound && trades.data?.cursor === '' ? tradeTicks(trades.data.trades) : [];
  if (ticks.length > 1) {
    return { points: tickLine(ticks), ticks, isPending: false, isError: false };
  }
  const recorded = history.data?.points ?? [];
  return {
    points: chancePoints(recorded),
    ticks: priceTicks(recorded),
    isPending: history.isPending,
    isError: history.isError && !history.data,
  };
}

function candles(ticks: Tick[]) {
  const found = candlesOf(ticks);
  if (hasVolumes(ticks, Date.now() / 1_000)) return found;
  return found.map((candle) => ({ ...candle, volume: 0 }));
}
