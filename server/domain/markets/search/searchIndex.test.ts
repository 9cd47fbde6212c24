import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canBeNear, editDistance, letterMask } from './editDistance.ts';
import { type IndexedEvent, SearchIndex } from './searchIndex.ts';
import { stemOf } from './stem.ts';
import { queryWords, wordsOf } from './tokenize.ts';
import { topOf } from './topOf.ts';

function event(ticker: string, title: string, more: Partial<IndexedEvent> = {}): IndexedEvent {
  return {
    ticker,
    seriesTicker: ticker.split('-')[0] ?? ticker,
    title,
    subtitle: '',
    seriesTitle: '',
    outcomes: '',
    category: 'World',
    tags: [],
    frequency: 'daily',
    statusMask: 2,
    isOpen: true,
    volumeContractMicros: 0n,
    volume: 0,
    volume24h: 0,
    liquidity: 0,
    newestAt: undefined,
    closesNextAt: undefined,
    ...more,
  };
}

const ask = { orderBy: 'querymatch', fuzzyThreshold: 4, offset: 0, limit: 10 } as const;

function tickers(index: SearchIndex, query: string, more: object = {}): string[] {
  return index.search({ ...ask, query, ...more }).found.map((one) => one.ticker);
}

describe('SearchIndex', () => {
  it('returns events with all words before events that lack one', () => {
    const index = new SearchIndex();
    index.put(event('A-1', 'Rain in Paris'));
    index.put(event('B-1', 'Rain in London'));
    index.put(event('C-1', 'Fog in London'));
    expect(tickers(index, 'rain london')).toEqual(['B-1']);
    expect(tickers(index, 'rain in the tokyo').sort()).toEqual(['A-1', 'B-1']);
    expect(tickers(index, 'snowboard')).toEqual([]);
  });

  it('tolerates typing errors only when requested', () => {
    const index = new SearchIndex();
    index.put(event('A-1', 'Inflation in Europe'));
    expect(tickers(index, 'inflaton')).toEqual(['A-1']);
    expect(tickers(index, 'inflaton', { fuzzyThreshold: 0 })).toEqual([]);
    expect(tickers(index, 'infl', { fuzzyThreshold: 0 })).toEqual(['A-1']);
  });

  it('updates the words and figures of an event', () => {
    const index = new SearchIndex();
    index.put(event('A-1', 'Rain', { volumeContractMicros: 5n }));
    index.put(event('A-1', 'Snow', { volumeContractMicros: 7n }));
    index.put(event('A-2', 'Snow', { volume: 9, volumeContractMicros: 1n }));
    expect(index.size).toBe(2);
    expect(tickers(index, 'rain', { fuzzyThreshold: 0 })).toEqual([]);
    expect(tickers(index, 'snow')).toEqual(['A-2', 'A-1']);
    expect(index.seriesVolumeContractMicros('A')).toBe(8n);
    index.put(event('A-1', 'Snow', { volume: 99_000, volumeContractMicros: 10n }));
    expect(tickers(index, 'snow')).toEqual(['A-1', 'A-2']);
    expect(index.seriesVolumeContractMicros('A')).toBe(11n);
  });

  it('filters, sorts and pages without words', () => {
    const index = new SearchIndex();
    for (let number = 0; number < 30; number += 1) {
      index.put(
        event(`E-${String(number).padStart(2, '0')}`, 'Something', {
          liquidity: number,
          category: number % 2 === 0 ? 'World' : 'Health',
          statusMask: number < 10 ? 2 : 8,
        }),
      );
    }
    const query = { ...ask, query: '', orderBy: 'liquidity', category: 'Health' } as const;
    expect(index.search({ ...query, limit: 2 })).toMatchObject({
      total: 15,
      found: [{ ticker: 'E-29' }, { ticker: 'E-27' }],
    });
    const second = index.search({ ...query, offset: 2, limit: 1 });
    expect(second.found).toMatchObject([{ ticker: 'E-25' }]);
    expect(index.search({ ...query, statusMask: 2 }).total).toBe(5);
    expect(index.search({ ...query, frequency: 'hourly' }).total).toBe(0);
  });

  it('given any changes, finds what a scan of all events finds', () => {
    const word = fc.constantFrom('rain', 'snow', 'paris', 'london', 'tide', 'tides', 'vote');
    const put = fc.record({
      number: fc.nat(12),
      title: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    });
    fc.assert(
      fc.property(fc.array(put, { maxLength: 400 }), word, word, (puts, one, other) => {
        const index = new SearchIndex();
        const titles = new Map<string, string>();
        for (const { number, title } of puts) {
          index.put(event(`E-${number}`, title));
          titles.set(`E-${number}`, title);
        }
        const query = `${one} ${other}`;
        const expected = [...titles]
          .filter(([, title]) =>
            queryWords(query).every((asked) =>
              wordsOf(title).some(
                (known) => known.startsWith(asked) || stemOf(known) === stemOf(asked),
              ),
            ),
          )
          .map(([ticker]) => ticker);
        if (expected.length === 0) return;
        const response = index.search({ ...ask, query, fuzzyThreshold: 0, limit: 100 });
        expect(response.found.map((found) => found.ticker).sort()).toEqual(expected.sort());
        expect(response.total).toBe(expected.length);
      }),
      { numRuns: 150 },
    );
  });
});

describe('topOf', () => {
  it('returns the first items of the sorted list', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(20), (items, count) => {
        const before = (a: number, b: number) => b - a;
        const expected = items.toSorted(before).slice(0, count);
        expect(topOf(items, items.length, count, before)).toEqual(expected);
      }),
    );
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['kitten', 'sitting', 3],
    ['rian', 'rain', 1],
    ['abc', 'abc', 0],
  ])('%s to %s', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
  });

  it('is symmetric, and the letter mask never rules out a near word', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(canBeNear(letterMask(a), letterMask(b), distance)).toBe(true);
      }),
    );
  });
});

it('splits words, lowercases them and strips accents', () => {
  const words = wordsOf('São Paulo: Will it RAIN 2x? The world’s');
  expect(words).toEqual(['sao', 'paulo', 'will', 'it', 'rain', '2x', 'the', 'worlds']);
  expect(wordsOf('***')).toEqual([]);
});
