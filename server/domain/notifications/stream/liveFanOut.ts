import type { StreamChannel } from '#lib/api/schemas/stream.ts';
import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import type { OrderBook } from '#server/exchange/port.ts';
import type { LiveUpdate } from '../../markets/books/liveMarket.ts';
import type { LiveMarkets } from '../../markets/books/liveMarkets.ts';
import { serializeBookEvent, serializePrices } from '../../markets/books/serializeLive.ts';
import { serializeTrade } from '../../markets/serializeMarket.ts';
import { createFollowers } from './followers.ts';
import { StreamMessage } from './streamMessage.ts';
import type { Subscriber } from './subscriber.ts';

export type LiveChannel = Exclude<StreamChannel, 'market'>;
type Reader = Pick<Subscriber, 'send' | 'waitingBytes' | 'isClosed'>;

type Owed = { channel: 'book' | 'price'; ticker: string };

/** A reader that is this far behind gets no books and prices until it has caught up. */
const SLOW_BYTES = 64 * 1024;
const CAUGHT_UP_BYTES = 8 * 1024;
const CATCH_UP_MS = 100;

/** Sends books, trades and prices to their readers: each encoded once, none late. */
export function createLiveFanOut({ liveMarkets }: { liveMarkets: LiveMarkets }) {
  const followers = {
    book: createFollowers<Reader>(),
    trade: createFollowers<Reader>(),
    price: createFollowers<Reader>(),
  };
  /** What slow readers, and readers of a book that is crossed for a moment, still have to get. */
  const owed = new Map<Reader, Map<string, Owed>>();
  const snapshots = new WeakMap<OrderBook, { version: number; message: StreamMessage }>();
  let timer: NodeJS.Timeout | undefined;

  liveMarkets.onUpdate((ticker, update) => {
    switch (update.kind) {
      case 'trade':
        if (followers.trade.has(ticker)) publishTrade(update.trade);
        break;
      case 'prices':
        if (!followers.price.has(ticker)) break;
        publish('price', ticker, new StreamMessage('price', serializePrices(update.prices)));
        break;
      default:
        if (followers.book.has(ticker)) publish('book', ticker, bookMessage(ticker, update));
    }
  });

  /** Nothing replaces a trade: slow readers get each. */
  function publishTrade(trade: ExchangeTrade): void {
    const message = new StreamMessage('trade', serializeTrade(trade));
    for (const reader of followers.trade.of(trade.ticker)) reader.send(message);
  }

  /** Sends the newest state, which a later message replaces: slow readers get it later. */
  function publish(channel: 'book' | 'price', ticker: string, message: StreamMessage): void {
    for (const reader of followers[channel].of(ticker)) {
      if (owed.get(reader)?.has(`${channel} ${ticker}`)) continue;
      if (reader.waitingBytes() > SLOW_BYTES) owe(reader, channel, ticker);
      else reader.send(message);
    }
  }

  function owe(reader: Reader, channel: 'book' | 'price', ticker: string): void {
    const known = owed.get(reader) ?? new Map<string, Owed>();
    owed.set(reader, known.set(`${channel} ${ticker}`, { channel, ticker }));
    timer ??= setInterval(catchUp, CATCH_UP_MS).unref();
  }

  function catchUp(): void {
    for (const [reader, parts] of owed) {
      for (const [name, { channel, ticker }] of parts) {
        if (reader.isClosed || reader.waitingBytes() > CAUGHT_UP_BYTES) break;
        const message = channel === 'book' ? firstBook(ticker) : latestPrices(ticker);
        if (!message) continue;
        parts.delete(name);
        reader.send(message);
      }
      if (parts.size === 0 || reader.isClosed) owed.delete(reader);
    }
    if (owed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function bookMessage(
    ticker: string,
    update: Extract<LiveUpdate, { version: number }>,
  ): StreamMessage {
    if (update.kind !== 'snapshot') {
      return new StreamMessage('book', serializeBookEvent(ticker, update));
    }
    const known = snapshots.get(update.book);
    if (known?.version === update.version) return known.message;
    const message = new StreamMessage('book', serializeBookEvent(ticker, update));
    snapshots.set(update.book, { version: update.version, message });
    return message;
  }

  function firstBook(ticker: string): StreamMessage | undefined {
    const first = liveMarkets.getFirst(ticker);
    return first && bookMessage(ticker, first);
  }

  function latestPrices(ticker: string): StreamMessage | undefined {
    const prices = liveMarkets.getPrices(ticker);
    return prices && new StreamMessage('price', serializePrices(prices));
  }

  function forgetOwed(reader: Reader, channel: LiveChannel, ticker: string): void {
    const parts = owed.get(reader);
    parts?.delete(`${channel} ${ticker}`);
    if (parts?.size === 0) owed.delete(reader);
  }

  return {
    /**
     * A reader follows a market; it gets the book and the prices as they are now.
     * @throws {ServiceError} `rate_limited` when the process follows too many markets
     */
    add(reader: Reader, channel: LiveChannel, ticker: string): void {
      if (!followers[channel].add(reader, ticker)) return;
      try {
        liveMarkets.follow(ticker);
      } catch (error) {
        followers[channel].remove(reader, ticker);
        throw error;
      }
      if (channel === 'book') {
        const message = firstBook(ticker);
        if (message) reader.send(message);
        else owe(reader, channel, ticker);
      }
      if (channel === 'price') {
        const message = latestPrices(ticker);
        if (message) reader.send(message);
      }
    },
    remove(reader: Reader, channel: LiveChannel, ticker: string): void {
      if (!followers[channel].remove(reader, ticker)) return;
      forgetOwed(reader, channel, ticker);
      liveMarkets.leave(ticker);
    },
  };
}
