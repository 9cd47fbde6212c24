import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import type { BookLevel, MarketUpdate, OrderBook } from '#server/exchange/port.ts';
import type { OpenTrigger } from './triggerSource.ts';
import { watchTriggers } from './watchTriggers.ts';

const log = pino({ level: 'silent' });
const cents = (count: number) => BigInt(count) * 10_000n;
const bid = (price: number): BookLevel => ({
  priceMicros: cents(price),
  contractMicros: 1_000_000n,
});
const bookAt = (yesBid: number, noBid = 40): OrderBook => ({
  ticker: 'A',
  yesBids: [bid(yesBid)],
  noBids: [bid(noBid)],
});
const stopLoss: OpenTrigger = {
  id: 'stop-loss',
  ticker: 'A',
  side: 'yes',
  priceMicros: cents(40),
  direction: 'below',
  source: 'bid',
};
const tradeAt = (price: number, at = new Date()): ExchangeTrade => ({
  tradeId: `${price} at ${at.toISOString()}`,
  ticker: 'A',
  contractMicros: 1_000_000n,
  yesPriceMicros: cents(price),
  takerSide: 'yes',
  at,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watch of one trigger at 40¢, on a market whose book is at 50¢ and complete for long. */
async function createWatch(trigger: OpenTrigger = stopLoss) {
  let receive: ((update: MarketUpdate) => void) | undefined;
  /** What the feed shows, and what the exchange says when it is asked. */
  const state = { live: bookAt(50), isCurrent: true, real: bookAt(50), trades: [tradeAt(50)] };
  let asOf = new Date();
  let follows = 0;
  const getOrderBook = vi.fn(async () => state.real);
  const exchange = {
    followMarket(_: string, onUpdate: (update: MarketUpdate) => void) {
      receive = onUpdate;
      follows += 1;
      return {
        getBook: () => (state.isCurrent ? { book: state.live, asOf } : undefined),
        stop: () => {
          follows -= 1;
        },
      };
    },
    getOrderBook,
    catalogue: { listTrades: async () => ({ trades: state.trades, cursor: '' }) },
  };
  const watch = watchTriggers({ exchange, log });
  const fire = vi.fn(async () => true);
  const source = { name: 'stop order', listOpen: async () => [trigger], fire };
  const poll = () => watch.update([{ trigger, source }]);
  const publish = (update: MarketUpdate) => {
    asOf = new Date();
    receive?.(update);
  };
  const settle = () => vi.advanceTimersByTimeAsync(200);
  const move = async (book: OrderBook) => {
    state.live = book;
    publish({ kind: 'level', side: 'yes', level: bid(1) });
    await settle();
  };
  poll();
  publish({ kind: 'book' });
  await vi.advanceTimersByTimeAsync(2_000);
  asOf = new Date();
  return {
    state,
    watch,
    fire,
    getOrderBook,
    poll,
    move,
    settle,
    follows: () => follows,
    trade: async (price: number) => {
      publish({ kind: 'trade', trade: tradeAt(price) });
      await settle();
    },
    lose: async () => {
      state.isCurrent = false;
      publish({ kind: 'stale' });
      await settle();
    },
    repair: async (book: OrderBook) => {
      state.live = book;
      state.isCurrent = true;
      publish({ kind: 'book' });
      await settle();
    },
  };
}

it('given a price that is not reached, asks nothing and fires nothing', async () => {
  const { move, poll, fire, getOrderBook } = await createWatch();
  await move(bookAt(41));
  poll();
  expect(getOrderBook).not.toHaveBeenCalled();
  expect(fire).not.toHaveBeenCalled();
});

it('given a price that the exchange confirms, fires with the price that it says', async () => {
  const { move, state, fire } = await createWatch();
  state.real = bookAt(38);
  await move(bookAt(40));
  expect(fire).toHaveBeenCalledExactlyOnceWith(stopLoss, {
    priceMicros: cents(38),
    at: expect.any(Date),
  });
});

it('given a live price that the exchange does not confirm, fires nothing', async () => {
  const { move, fire, getOrderBook } = await createWatch();
  await move(bookAt(40));
  expect(getOrderBook).toHaveBeenCalledOnce();
  expect(fire).not.toHaveBeenCalled();
});

it('given an exchange that does not answer, fires at a later look', async () => {
  const { move, state, fire, poll, getOrderBook, settle } = await createWatch();
  getOrderBook.mockRejectedValueOnce(new Error('timeout'));
  state.real = bookAt(39);
  await move(bookAt(39));
  expect(fire).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  poll();
  await settle();
  expect(fire).toHaveBeenCalledOnce();
});

it('given many changes at a reached price, asks the exchange a few times a second', async () => {
  const { move, getOrderBook } = await createWatch();
  for (let change = 0; change < 10; change += 1) await move(bookAt(40 - change));
  expect(getOrderBook.mock.calls.length).toBeLessThanOrEqual(8);
});

it('given a stale book, fires nothing, whatever is read', async () => {
  const { lose, poll, state, fire, getOrderBook } = await createWatch();
  state.real = bookAt(30);
  state.live = bookAt(30);
  await lose();
  for (let second = 0; second < 30; second += 1) {
    poll();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(getOrderBook).not.toHaveBeenCalled();
  expect(fire).not.toHaveBeenCalled();
});

it('given a book that was repaired just now, waits a second before it counts', async () => {
  const { lose, repair, move, poll, state, fire, getOrderBook, settle } = await createWatch();
  await lose();
  state.real = bookAt(30);
  await repair(bookAt(30));
  await move(bookAt(31));
  poll();
  await settle();
  expect(getOrderBook).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  await move(bookAt(30));
  expect(fire).toHaveBeenCalledOnce();
});

it('given a book that is complete again before readers heard of it, does not count it', async () => {
  const { state, lose, poll, settle, getOrderBook } = await createWatch();
  await lose();
  state.live = bookAt(30);
  state.isCurrent = true;
  poll();
  await settle();
  expect(getOrderBook).not.toHaveBeenCalled();
});

it('given a feed without messages, does not count its book', async () => {
  const { state, poll, getOrderBook, settle } = await createWatch();
  state.live = bookAt(30);
  await vi.advanceTimersByTimeAsync(4_000);
  poll();
  await settle();
  expect(getOrderBook).not.toHaveBeenCalled();
});

it('given a crossed book, does not count it', async () => {
  const { move, getOrderBook } = await createWatch();
  await move(bookAt(40, 60));
  expect(getOrderBook).not.toHaveBeenCalled();
});

it('given a trigger on the last trade, waits for a trade that the exchange lists', async () => {
  const takeProfit = { source: 'last', direction: 'above', priceMicros: cents(60) } as const;
  const { trade, state, fire, move } = await createWatch({ ...stopLoss, ...takeProfit });
  await move(bookAt(61, 30));
  expect(fire).not.toHaveBeenCalled();
  await trade(62);
  expect(fire).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  state.trades = [tradeAt(61)];
  await trade(61);
  expect(fire).toHaveBeenCalledExactlyOnceWith(expect.anything(), {
    priceMicros: cents(61),
    at: expect.any(Date),
  });
});

it('given no more triggers in a market, leaves its book', async () => {
  const { watch, follows } = await createWatch();
  watch.update([]);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(follows()).toBe(0);
});
