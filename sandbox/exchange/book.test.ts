import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book, type BookSide, type MatchRequest } from './book.ts';

const cents = (count: number) => BigInt(count) * 10_000n;

type Step = { account: string; side: BookSide; price: number; size: number; rests: boolean };

const step: fc.Arbitrary<Step> = fc.record({
  account: fc.constantFrom('a', 'b', 'c', 'd'),
  side: fc.constantFrom('bid', 'ask'),
  price: fc.integer({ min: 1, max: 99 }),
  size: fc.integer({ min: 1, max: 5_000 }),
  rests: fc.boolean(),
});

function requestOf(item: Step): MatchRequest {
  return {
    accountId: item.account,
    side: item.side,
    limitMicros: cents(item.price),
    contractMicros: cents(item.size),
    selfTrade: 'taker_at_cross',
  };
}

function resting(book: Book): bigint {
  let total = 0n;
  for (const order of book.orders()) total += order.remainingMicros;
  return total;
}

describe('Book', () => {
  it('neither makes nor loses contracts, and never leaves crossed prices of two accounts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const book = new Book();
        for (const [index, item] of steps.entries()) {
          const before = resting(book);
          const result = book.match(requestOf(item));
          const traded = result.matches.reduce((sum, match) => sum + match.contractMicros, 0n);
          expect(traded + result.remainingMicros).toBe(cents(item.size));
          expect(before - resting(book)).toBe(traded);
          for (const match of result.matches) {
            const good =
              item.side === 'bid'
                ? match.priceMicros <= cents(item.price)
                : match.priceMicros >= cents(item.price);
            expect(good).toBe(true);
          }
          if (item.rests && result.remainingMicros > 0n && !result.stoppedBySelf) {
            book.add({
              orderId: String(index),
              accountId: item.account,
              side: item.side,
              priceMicros: cents(item.price),
              remainingMicros: result.remainingMicros,
            });
          }
          for (const side of ['bid', 'ask'] as const) {
            for (const level of book.levels(side)) {
              const sum = level.orders.reduce((total, order) => total + order.remainingMicros, 0n);
              expect(level.totalMicros).toBe(sum);
            }
          }
          const [bid] = book.bids;
          const [ask] = book.asks;
          if (bid && ask) expect(bid.priceMicros < ask.priceMicros).toBe(true);
        }
      }),
    );
  });

  it('fills the best price first and, at one price, the oldest order', () => {
    const book = new Book();
    const rest = (orderId: string, price: number) =>
      book.add({
        orderId,
        accountId: orderId,
        side: 'ask',
        priceMicros: cents(price),
        remainingMicros: cents(100),
      });
    rest('dear', 60);
    rest('first', 55);
    rest('second', 55);
    const { matches } = book.match({
      accountId: 'taker',
      side: 'bid',
      limitMicros: cents(60),
      contractMicros: cents(250),
      selfTrade: 'taker_at_cross',
    });
    expect(matches.map((match) => [match.maker.orderId, match.contractMicros])).toEqual([
      ['first', cents(100)],
      ['second', cents(100)],
      ['dear', cents(50)],
    ]);
  });

  it('given an own order, stops or cancels it, as requested', () => {
    for (const selfTrade of ['taker_at_cross', 'maker'] as const) {
      const book = new Book();
      book.add({
        orderId: 'own',
        accountId: 'me',
        side: 'ask',
        priceMicros: cents(40),
        remainingMicros: cents(10),
      });
      const result = book.match({
        accountId: 'me',
        side: 'bid',
        limitMicros: cents(50),
        contractMicros: cents(10),
        selfTrade,
      });
      expect(result.matches).toEqual([]);
      expect(result.stoppedBySelf).toBe(selfTrade === 'taker_at_cross');
      expect(book.get('own') === undefined).toBe(selfTrade === 'maker');
    }
  });

  describe('with an own order between two others', () => {
    function bookWith(): Book {
      const book = new Book();
      for (const [orderId, accountId, price] of [
        ['near', 'a', 40],
        ['own', 'me', 41],
        ['far', 'b', 41],
      ] as const) {
        const remainingMicros = cents(10);
        book.add({ orderId, accountId, side: 'ask', priceMicros: cents(price), remainingMicros });
      }
      return book;
    }

    it.each([
      ['taker_at_cross', 10],
      ['maker', 20],
    ] as const)('given %s, %i are available, as a match shows', (selfTrade, size) => {
      const taker = { accountId: 'me', selfTrade };
      expect(bookWith().availableMicros('bid', cents(50), taker)).toBe(cents(size));
      const request = { ...taker, side: 'bid', limitMicros: cents(50) } as const;
      const { matches } = bookWith().match({ ...request, contractMicros: cents(100) });
      expect(matches.reduce((sum, one) => sum + one.contractMicros, 0n)).toBe(cents(size));
    });

    it('tells what trades before an order, at better prices and earlier', () => {
      const book = bookWith();
      const ahead = ['near', 'own', 'far', 'none'].map((orderId) => book.aheadMicros(orderId));
      expect(ahead).toEqual([0, 10, 20, 0].map(cents));
      book.shrink('near', cents(4));
      expect(book.aheadMicros('far')).toBe(cents(16));
    });

    it('trades an order out of its turn, in part or as a whole', () => {
      const book = bookWith();
      const match = { maker: { orderId: 'far' }, priceMicros: cents(41), contractMicros: cents(4) };
      expect(book.take('far', cents(4))).toMatchObject(match);
      expect(book.get('far')?.remainingMicros).toBe(cents(6));
      expect(book.take('far', cents(6))).toMatchObject({ contractMicros: cents(6) });
      expect(book.take('far', cents(1))).toBe(undefined);
      expect(book.asks.map((level) => level.totalMicros)).toEqual([cents(10), cents(10)]);
    });
  });
});
