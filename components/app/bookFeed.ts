import type { QueryClient } from '@tanstack/react-query';
import type { OrderBook, TradeList } from '#lib/api/schemas/market.ts';
import { type BookSocket, createBookSocket } from '#lib/browser/live/bookSocket.ts';
import { currentBooks } from '#lib/browser/live/currentBooks.ts';
import { marketKeys } from '#lib/browser/queries/marketKeys.ts';
import { SHOWN_TRADES } from '#lib/market/marketPage.ts';
import { whileVisible } from './whileVisible.ts';

let socket: BookSocket | undefined;

/** Writes the live book and the trades of a market to the query cache, which every view reads. */
export function followBook(apiKey: string, cache: QueryClient, ticker: string): () => void {
  socket ??= connect(apiKey);
  const stop = socket.follow(ticker, {
    onBook({ book, isStale }) {
      if (isStale) {
        // Polled at once, and every few seconds until it is live again.
        if (currentBooks.delete(ticker)) {
          void cache.invalidateQueries({ queryKey: marketKeys.orderBook(ticker) });
        }
      } else {
        currentBooks.add(ticker);
        cache.setQueryData<OrderBook>(marketKeys.orderBook(ticker), book);
      }
    },
    onTrade(trade) {
      cache.setQueryData<TradeList>(marketKeys.trades(ticker), (old) => {
        if (!old || old.trades.some(({ id }) => id === trade.id)) return old;
        return { ...old, trades: [trade, ...old.trades].slice(0, SHOWN_TRADES) };
      });
    },
  });
  return () => {
    currentBooks.delete(ticker);
    stop();
  };
}

function connect(apiKey: string): BookSocket {
  const opened = createBookSocket({
    apiKey,
    open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/v1/ws`),
  });
  whileVisible((isVisible) => opened.pause(!isVisible));
  return opened;
}
