import { describe, expect, it } from 'vitest';
import type { BookEvent } from '#lib/api/schemas/stream.ts';
import { applyBookEvent, NO_BOOK } from './liveBook.ts';

const level = (priceDollars: string, contracts: number) => ({ priceDollars, contracts });
const asOf = '2026-11-24T05:00:00.000Z';
const snapshot: BookEvent = {
  kind: 'snapshot',
  ticker: 'A',
  version: 4,
  yesBids: [level('0.5600', 10), level('0.5500', 20)],
  yesAsks: [level('0.5800', 5)],
  asOf,
};
const delta = (version: number): BookEvent => ({
  kind: 'delta',
  ticker: 'A',
  version,
  yesBids: [level('0.5600', 0), level('0.5650', 3)],
  yesAsks: [level('0.5700', 1.5)],
  asOf,
});
const whole = applyBookEvent(NO_BOOK, snapshot);

describe('a live book', () => {
  it('given a snapshot, has both sides, best first', () => {
    expect(whole).toMatchObject({ version: 4, isStale: false });
    expect(whole.book?.noBids).toEqual([level('0.4200', 5)]);
    expect(whole.book?.noAsks).toEqual([level('0.4400', 10), level('0.4500', 20)]);
  });

  it('given the next delta, replaces, adds and removes levels', () => {
    const { book, isStale } = applyBookEvent(whole, delta(5));
    expect(isStale).toBe(false);
    expect(book?.yesBids).toEqual([level('0.5650', 3), level('0.5500', 20)]);
    expect(book?.yesAsks).toEqual([level('0.5700', 1.5), level('0.5800', 5)]);
  });

  it('given a delta after a loss, is stale until the next snapshot', () => {
    const lost = applyBookEvent(whole, delta(6));
    expect(lost).toMatchObject({ isStale: true, book: whole.book });
    expect(applyBookEvent(lost, delta(7)).isStale).toBe(true);
    expect(applyBookEvent(lost, { ...snapshot, version: 8 }).isStale).toBe(false);
  });

  it('given that the service says so, is stale', () => {
    const stale: BookEvent = { kind: 'stale', ticker: 'A', version: 5, asOf };
    expect(applyBookEvent(whole, stale)).toMatchObject({ isStale: true, version: 5 });
  });
});
