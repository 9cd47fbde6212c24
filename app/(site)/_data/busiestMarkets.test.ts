import { expect, test } from 'vitest';
import type { MarketRecord } from '#server/domain/markets/catalogue/types.ts';
import { biggestMoves, firstOfEachSeries } from './busiestMarkets.ts';

function market(ticker: string, nowCents: bigint, dayAgoCents: bigint | null): MarketRecord {
  const [seriesTicker = ''] = ticker.split('-');
  return {
    ticker,
    eventTicker: ticker,
    seriesTicker,
    yesBidMicros: null,
    yesAskMicros: null,
    lastPriceMicros: nowCents * 10_000n,
    previousPriceMicros: dayAgoCents === null ? null : dayAgoCents * 10_000n,
    payoutYesMicros: null,
  } as MarketRecord;
}

const tickers = (found: { market: MarketRecord }[]) => found.map((one) => one.market.ticker);

test('given several events of a series, its first one is listed with the count of the others', () => {
  const found = firstOfEachSeries([
    market('RAIN-1', 5n, 5n),
    market('GOLD-1', 5n, 5n),
    market('RAIN-2', 5n, 5n),
  ]);
  expect(tickers(found)).toEqual(['RAIN-1', 'GOLD-1']);
  expect(found.map(({ moreInSeries }) => moreInSeries)).toEqual([1, 0]);
});

test('given moves up and down, the largest comes first and unmoved markets are left out', () => {
  const markets = [
    market('STILL-1', 40n, 40n),
    market('UP-1', 45n, 40n),
    market('DOWN-1', 20n, 60n),
    market('DOWN-2', 20n, 70n),
    market('NEW-1', 50n, null),
  ];
  expect(tickers(biggestMoves(markets, 5))).toEqual(['DOWN-2', 'UP-1']);
});
