import { expect, it } from 'vitest';
import type { PriceChange } from './livePrices.ts';
import { createPushedPrices } from './pushedPrices.ts';

const at = (ticker: string, cents: bigint): PriceChange => ({
  kind: 'prices',
  ticker,
  yesBidMicros: cents * 10_000n,
  yesAskMicros: null,
  lastPriceMicros: null,
  volumeContractMicros: undefined,
  openInterestContractMicros: undefined,
});

it('tells the newest price of each market once', () => {
  const pushed = createPushedPrices(2);
  pushed.add(at('A', 40n));
  pushed.add(at('B', 10n));
  pushed.add(at('A', 41n));
  expect(pushed.take()).toEqual([at('A', 41n), at('B', 10n)]);
  expect(pushed.take()).toEqual([]);
});

it('tells it again after each page that may be older', () => {
  const pushed = createPushedPrices(2);
  pushed.add(at('A', 40n));
  expect(pushed.takeBetweenPages()).toEqual([at('A', 40n)]);
  expect(pushed.takeBetweenPages()).toEqual([at('A', 40n)]);
  expect(pushed.takeBetweenPages()).toEqual([at('A', 40n)]);
  expect(pushed.takeBetweenPages()).toEqual([]);
});

it('never tells an older price after a newer one', () => {
  const pushed = createPushedPrices(2);
  pushed.add(at('A', 40n));
  pushed.takeBetweenPages();
  pushed.add(at('A', 41n));
  for (let page = 0; page < 3; page += 1) {
    expect(pushed.takeBetweenPages()).toEqual([at('A', 41n)]);
  }
  expect(pushed.takeBetweenPages()).toEqual([]);
});

it('forgets what was told when another reading begins', () => {
  const pushed = createPushedPrices(2);
  pushed.add(at('A', 40n));
  pushed.takeBetweenPages();
  pushed.add(at('B', 10n));
  pushed.beginReading();
  expect(pushed.takeBetweenPages()).toEqual([at('B', 10n)]);
});
