import { describe, expect, it, test } from 'vitest';
import { SearchIndex } from './searchIndex.ts';
import { JUDGED_AT, judgedListing, judgedQueries, measure } from './testing/judgedSet.ts';

const index = new SearchIndex();
const listing = judgedListing();
for (const event of listing) index.put(event);

const ask = {
  orderBy: 'querymatch',
  fuzzyThreshold: 4,
  offset: 0,
  limit: 3,
  now: JUDGED_AT,
} as const;

function firstThree(query: string): string[] {
  return index.search({ ...ask, query }).found.map((one) => one.ticker);
}

describe('the judged set', () => {
  const { lookedAt, heldOut } = judgedQueries();

  it('is large enough to measure with', () => {
    expect(listing.length).toBeGreaterThanOrEqual(800);
    expect(new Set(listing.map((one) => one.seriesTicker)).size).toBeGreaterThanOrEqual(250);
    expect(lookedAt.length + heldOut.length).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['looked at', lookedAt],
    ['held out', heldOut],
  ] as const)('given the queries %s, the right event comes first or soon', (_, queries) => {
    const { first, withinThree, nothing, misses } = measure(queries, firstThree);
    expect(first, misses.join('\n')).toBeGreaterThanOrEqual(0.92);
    expect(withinThree, misses.join('\n')).toBeGreaterThanOrEqual(0.97);
    expect(nothing, misses.join('\n')).toBeLessThanOrEqual(0.005);
  });
});

it('given a word of a thousand events, lists one of each series first', () => {
  const { found } = index.search({ ...ask, query: 'bitcoin', limit: 12 });
  const series = found.slice(0, 6).map(({ ticker }) => ticker.split('-')[0]);
  expect(new Set(series).size).toBe(6);
});

it('given a grouped search, counts what a series has more', () => {
  const grouped = index.search({ ...ask, query: 'highest temperature nyc', isGrouped: true });
  const [first] = grouped.found;
  expect(first?.ticker).toMatch(/^KXHIGHNY-/);
  const alone = index.search({
    ...ask,
    query: 'highest temperature nyc',
    seriesTicker: 'KXHIGHNY',
  });
  expect(alone.total).toBe((first?.moreInSeries ?? 0) + 1);
});

it.each([
  ['infaltion december', 'inflation december'],
  ['superbwol', 'superbowl'],
])('given %s, tells that it searched for %s', (query, corrected) => {
  expect(index.search({ ...ask, query }).corrected).toBe(corrected);
  const literal = index.search({ ...ask, query, fuzzyThreshold: 0 });
  expect(literal).not.toHaveProperty('corrected');
});

it.each(['war', 'ipo', 'nfl', 'sga', 'bond', 'recession 2027'])(
  'given the known word %s, corrects nothing',
  (query) => {
    expect(index.search({ ...ask, query })).not.toHaveProperty('corrected');
  },
);
