import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExchangeTrade } from '../catalogue.ts';
import type { MarketUpdate, OrderBook } from '../port.ts';
import { createPolledMarkets } from './polledMarkets.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const trade = (tradeId: string): ExchangeTrade => ({
  tradeId,
  ticker: 'A',
  contractMicros: 1_000_000n,
  yesPriceMicros: 500_000n,
  takerSide: 'yes',
  at: new Date(),
});

it('reports a book that differs, trades oldest first, and a failed read as stale', async () => {
  let book: OrderBook = { ticker: 'A', yesBids: [], noBids: [] };
  let isDown = false;
  const follow = createPolledMarkets({
    getOrderBook: async () => {
      if (isDown) throw new Error('down');
      return book;
    },
    listTrades: async () => ({ trades: [trade('2'), trade('1')], cursor: '' }),
  });
  const updates: MarketUpdate[] = [];
  const followed = follow('A', (update) => updates.push(update));
  const next = async () => {
    updates.length = 0;
    await vi.advanceTimersByTimeAsync(2_000);
    return updates.map((one) => (one.kind === 'trade' ? one.trade.tradeId : one.kind));
  };
  await vi.advanceTimersByTimeAsync(250);
  expect(updates.map((one) => one.kind)).toEqual(['book', 'trade', 'trade']);
  expect(await next()).toEqual(['1', '2']);
  book = { ...book, yesBids: [{ priceMicros: 10_000n, contractMicros: 1n }] };
  expect(await next()).toEqual(['book', '1', '2']);
  expect(followed.getBook()?.book).toBe(book);
  isDown = true;
  expect(await next()).toEqual(['stale']);
  expect(followed.getBook()).toBe(undefined);
  isDown = false;
  expect(await next()).toEqual(['book', '1', '2']);
  followed.stop();
  expect(await next()).toEqual([]);
});
