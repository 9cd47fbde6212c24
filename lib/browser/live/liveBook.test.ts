import { describe, expect, it } from 'vitest';
import type { BookEvent, BookLevel } from '#lib/api/schemas/stream.ts';
import { type BookView, isKeptLive, withBookEvent } from './liveBook.ts';

const AT = '2026-11-21T05:00:00.000Z';
const level = (priceDollars: string, contracts: number): BookLevel => ({ priceDollars, contracts });

const snapshot: BookEvent = {
  kind: 'snapshot',
  ticker: 'A',
  version: 4,
  yesBids: [level('0.4200', 10), level('0.4100', 5)],
  yesAsks: [level('0.4400', 7)],
  asOf: AT,
};
const delta = (
  version: number,
  part: Partial<Pick<BookView, 'yesBids' | 'yesAsks'>>,
): BookEvent => ({
  kind: 'delta',
  ticker: 'A',
  version,
  yesBids: [],
  yesAsks: [],
  asOf: AT,
  ...part,
});
const stale = (version: number): BookEvent => ({ kind: 'stale', ticker: 'A', version, asOf: AT });

function bookAfter(...events: BookEvent[]): BookView | undefined {
  return events.reduce<BookView | undefined>(withBookEvent, undefined);
}

describe('withBookEvent', () => {
  it('given changes, sets, adds and removes levels and keeps the best first', () => {
    const book = bookAfter(
      snapshot,
      delta(5, { yesBids: [level('0.4300', 2), level('0.4100', 0)] }),
      delta(6, { yesBids: [level('0.4200', 12)], yesAsks: [level('0.4350', 1)] }),
    );
    expect(book?.yesBids).toEqual([level('0.4300', 2), level('0.4200', 12)]);
    expect(book?.yesAsks).toEqual([level('0.4350', 1), level('0.4400', 7)]);
    expect(isKeptLive(book)).toBe(true);
  });

  it('given a repeated change, ignores it', () => {
    const change = delta(5, { yesAsks: [level('0.4400', 9)] });
    expect(bookAfter(snapshot, change, delta(5, { yesAsks: [] }))).toEqual(
      bookAfter(snapshot, change),
    );
  });

  it('given a missing version, is stale and unchanged until the next snapshot', () => {
    const gap = bookAfter(snapshot, delta(6, { yesBids: [level('0.4200', 0)] }));
    expect(gap?.yesBids).toEqual(snapshot.kind === 'snapshot' && snapshot.yesBids);
    expect(isKeptLive(gap)).toBe(false);
    const later = withBookEvent(gap, delta(7, { yesBids: [level('0.4200', 1)] }));
    expect(later).toEqual(gap);
    expect(isKeptLive(withBookEvent(later, { ...snapshot, version: 8 }))).toBe(true);
  });

  it('given a stale book, keeps its levels and says so', () => {
    const book = bookAfter(snapshot, stale(5));
    expect(book).toMatchObject({ yesAsks: [level('0.4400', 7)], live: { isStale: true } });
  });

  it('given changes to a book that was polled, waits for the snapshot', () => {
    const polled: BookView = { ticker: 'A', yesBids: [], yesAsks: [], asOf: AT };
    expect(withBookEvent(polled, delta(5, { yesBids: [level('0.4200', 1)] }))).toBe(polled);
    expect(withBookEvent(polled, stale(6))).toBe(polled);
  });
});
