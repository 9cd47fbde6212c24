import { expect, it, vi } from 'vitest';
import type { Exchange, ExchangeMarket, OrderBook } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { getRecentBook, getTradingMarket, quoteMarket } from './tradingMarket.ts';

const BOOK: OrderBook = { ticker: 'A', yesBids: [], noBids: [] };

function exchangeOf(part: Partial<Exchange>): Exchange {
  return part as Exchange;
}

function exchangeWith(getOrderBook: Exchange['getOrderBook']): Exchange {
  return exchangeOf({ getOrderBook });
}

it('given concurrent requests for a book, they share one read', async () => {
  const getOrderBook = vi.fn(async () => BOOK);
  const deps = { exchange: exchangeWith(getOrderBook) };
  const readings = await Promise.all(
    Array.from({ length: 20 }, async () => await getRecentBook(deps, 'A')),
  );
  expect(new Set(readings).size).toBe(1);
  await getRecentBook(deps, 'B');
  expect(getOrderBook.mock.calls).toEqual([['A'], ['B']]);
});

it('given a failed read of a book, the next request reads it again', async () => {
  const getOrderBook = vi.fn(async () => BOOK).mockRejectedValueOnce(new Error('no answer'));
  const deps = { exchange: exchangeWith(getOrderBook) };
  await expect(getRecentBook(deps, 'A')).rejects.toThrow('no answer');
  expect((await getRecentBook(deps, 'A')).book).toBe(BOOK);
});

it('given a quote for no contracts, refuses it without reading the exchange', async () => {
  const getOrderBook = vi.fn(async () => BOOK);
  const asked = { ticker: 'A', action: 'buy', side: 'yes', contractMicros: 0n } as const;
  await expect(
    quoteMarket({ exchange: exchangeWith(getOrderBook) }, asked, async (book) => book),
  ).rejects.toMatchObject({
    code: 'quantity_not_allowed',
    errors: [{ pointer: '/query/contracts', detail: 'must be more than zero' }],
  });
  expect(getOrderBook).not.toHaveBeenCalled();
});

it.each([
  ['open', 'fee_unknown'],
  ['settled', undefined],
] as const)(
  'given a market that is %s without a known fee, fails with %s',
  async (status, code) => {
    const market: ExchangeMarket = {
      ticker: 'A',
      eventTicker: 'E',
      shard: 0,
      status,
      closeAt: new Date(),
      priceRanges: [],
    };
    const exchange = exchangeOf({
      getMarket: async () => market,
      getFeeRule: async () => ({ kind: 'unknown', feeType: 'missing' }),
    });
    const asked = getTradingMarket({ exchange }, 'A').then(
      () => undefined,
      (error: unknown) => error instanceof ServiceError && error.code,
    );
    expect(await asked).toBe(code);
  },
);
