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

it('returns the newest price of each market once', () => {
  const pushed = createPushedPrices();
  pushed.add(at('A', 40n));
  pushed.add(at('B', 10n));
  pushed.add(at('A', 41n));
  expect(pushed.take()).toEqual([at('A', 41n), at('B', 10n)]);
  expect(pushed.take()).toEqual([]);
});

it('given a page request, knows which markets received prices after it, written or not', () => {
  let now = 0;
  const pushed = createPushedPrices(() => now);
  pushed.add(at('A', 40n));
  now = 10;
  pushed.add(at('B', 10n));
  pushed.take();
  now = 20;
  pushed.add(at('C', 20n));
  expect([...pushed.pushedSince(10)]).toEqual(['B', 'C']);
  expect([...pushed.pushedSince(21)]).toEqual([]);
  now = 30;
  pushed.add(at('A', 41n));
  expect([...pushed.pushedSince(11)]).toEqual(['C', 'A']);
});

it('deletes what no request in flight can precede', () => {
  let now = 0;
  const pushed = createPushedPrices(() => now);
  for (const ticker of ['A', 'B', 'C']) {
    pushed.add(at(ticker, 40n));
    now += 10;
  }
  pushed.deleteBefore(10);
  expect([...pushed.pushedSince(0)]).toEqual(['B', 'C']);
  pushed.add(at('B', 41n));
  pushed.deleteBefore(25);
  expect([...pushed.pushedSince(0)]).toEqual(['B']);
});
