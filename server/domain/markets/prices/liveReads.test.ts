import { expect, it, vi } from 'vitest';
import type { CurrentBook, Exchange, OrderBook } from '#server/exchange/port.ts';
import { getOrderBook } from './liveReads.ts';

const bookOf = (ticker: string): OrderBook => ({ ticker, yesBids: [], noBids: [] });

function createDeps(live: CurrentBook | undefined) {
  const read = vi.fn(async (ticker: string) => bookOf(ticker));
  // Only this part of the exchange is used.
  const exchange = { getOrderBook: read } as unknown as Exchange;
  return { read, deps: { exchange, liveMarkets: { getBook: () => live } } };
}

it('given a current live book, returns it without asking the exchange', async () => {
  const live = { book: bookOf('A'), asOf: new Date() };
  const { read, deps } = createDeps(live);
  expect(await getOrderBook(deps, 'A')).toBe(live);
  expect(read).not.toHaveBeenCalled();
});

it.each([
  ['no live book', undefined],
  ['one that was confirmed too long ago', { book: bookOf('A'), asOf: new Date(0) }],
])('given %s, asks the exchange', async (_, live) => {
  const { read, deps } = createDeps(live);
  expect((await getOrderBook(deps, 'A')).book).toEqual(bookOf('A'));
  expect(read).toHaveBeenCalledOnce();
});
