import { describe, expect, it } from 'vitest';
import type { Market } from '#lib/api/schemas/market.ts';
import { labelOf } from './convertMarket.ts';
import {
  changePoints,
  type EventView,
  hasChanged,
  impliedChance,
  type MarketPrices,
  type MarketView,
  mostInformative,
} from './marketView.ts';
import { marketView } from './testing/marketView.ts';

const empty: MarketPrices = {
  yesBidMicros: null,
  yesAskMicros: null,
  noBidMicros: null,
  noAskMicros: null,
  lastPriceMicros: null,
};

describe('impliedChance', () => {
  it('given a narrow book, is its middle', () => {
    const book = { ...empty, yesBidMicros: 420_000n, yesAskMicros: 440_000n };
    expect(impliedChance({ ...book, lastPriceMicros: 700_000n })).toBe(430_000n);
  });

  it('given a wide or one-sided book, is the last trade', () => {
    const wide = { ...empty, yesBidMicros: 100_000n, yesAskMicros: 900_000n };
    expect(impliedChance({ ...wide, lastPriceMicros: 300_000n })).toBe(300_000n);
    expect(impliedChance({ ...empty, yesBidMicros: 420_000n, lastPriceMicros: 310_000n })).toBe(
      310_000n,
    );
  });

  it('given neither book nor trade, is unknown', () => {
    expect(impliedChance(empty)).toBeNull();
    expect(impliedChance({ ...empty, yesAskMicros: 5_000n })).toBeNull();
  });

  it('given a settled market, is the payout', () => {
    expect(impliedChance({ ...empty, lastPriceMicros: 5_000n, payoutYesMicros: 1_000_000n })).toBe(
      1_000_000n,
    );
  });
});

const market = (ticker: string, lastPriceMicros: bigint): MarketView =>
  marketView({ ticker, title: ticker, label: ticker, lastPriceMicros });

describe('labelOf', () => {
  const title = 'Will it rain?';

  it('given an outcome of its own, is its name', () => {
    expect(labelOf({ title, subtitle: 'Rain', yesSubTitle: 'Above 5 mm' })).toBe('Above 5 mm');
    expect(labelOf({ title, subtitle: 'Rain', yesSubTitle: '' })).toBe('Rain');
  });

  it('given a plain question, is the question', () => {
    expect(labelOf({ title, subtitle: '', yesSubTitle: 'Yes' })).toBe(title);
    expect(labelOf({ title, subtitle: '', yesSubTitle: '' })).toBe(title);
  });
});

describe('mostInformative', () => {
  const event: EventView = {
    eventTicker: 'E',
    title: 'E',
    subtitle: '',
    category: '',
    volumeContractMicros: 0n,
    marketCount: 4,
    mutuallyExclusive: false,
    markets: [
      market('a', 990_000n),
      market('b', 700_000n),
      market('c', 450_000n),
      market('d', 20_000n),
    ],
  };
  const tickers = (of: EventView) => mostInformative(of, 2).map(({ ticker }) => ticker);

  it('omits practically decided markets', () => {
    expect(tickers(event)).toEqual(['b', 'c']);
  });

  it('given one winner, puts the likeliest first', () => {
    const exclusive = { ...event, mutuallyExclusive: true, markets: [...event.markets].reverse() };
    expect(tickers(exclusive)).toEqual(['a', 'b']);
  });
});

describe('changePoints', () => {
  const priced = { ...empty, lastPriceMicros: 470_000n, payoutYesMicros: null };

  it('is the change of a day in whole points, rounded towards zero', () => {
    expect(changePoints({ ...priced, previousPriceMicros: 420_000n })).toBe(5);
    expect(changePoints({ ...priced, previousPriceMicros: 525_000n })).toBe(-5);
  });

  it('given no price of yesterday, is unknown', () => {
    expect(changePoints({ ...priced, previousPriceMicros: null })).toBeNull();
  });
});

describe('hasChanged', () => {
  const response = (lastPriceDollars: string) =>
    ({
      ticker: 'A',
      status: 'open',
      yesBidDollars: '0.0000',
      yesAskDollars: '1.0000',
      noBidDollars: '0.0000',
      noAskDollars: '1.0000',
      lastPriceDollars,
      volume: 0,
      settlement: null,
    }) as Market;

  it('is true only if the view would differ', () => {
    expect(hasChanged(market('A', 420_000n), response('0.4200'))).toBe(false);
    expect(hasChanged(market('A', 420_000n), response('0.4300'))).toBe(true);
    expect(hasChanged(market('A', 420_000n), { ...response('0.4200'), status: 'paused' })).toBe(
      true,
    );
  });
});
