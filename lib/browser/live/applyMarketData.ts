import type { QueryClient } from '@tanstack/react-query';
import type { MarketResponse, Trade, TradeList } from '#lib/api/schemas/market.ts';
import type { BookEvent, PriceEvent } from '#lib/api/schemas/stream.ts';
import type { ServerEvent } from '#lib/api/stream.ts';
import { SHOWN_TRADES } from '#lib/market/marketPage.ts';
import { centsNumber, parseMicros } from '#lib/money.ts';
import { marketKeys } from '../queries/marketKeys.ts';
import { type BookView, withBookEvent } from './liveBook.ts';

/** Writes books, trades and prices of the stream to the query cache. */
export function applyMarketData(cache: QueryClient, { name, data }: ServerEvent): void {
  if (name === 'book') {
    const event = JSON.parse(data) as BookEvent;
    cache.setQueryData<BookView>(marketKeys.orderBook(event.ticker), (old) =>
      withBookEvent(old, event),
    );
  }
  if (name === 'trade') addTrade(cache, JSON.parse(data) as Trade);
  if (name === 'price') applyPrices(cache, JSON.parse(data) as PriceEvent);
}

/** The stream no longer keeps these books: they are polled from now on. */
export function releaseBooks(
  cache: QueryClient,
  queryKey: readonly unknown[] = marketKeys.orderBooks,
): void {
  cache.setQueriesData<BookView>({ queryKey }, (old) => {
    if (!old?.live) return old;
    const { live: _, ...book } = old;
    return book;
  });
  void cache.invalidateQueries({ queryKey });
}

function addTrade(cache: QueryClient, trade: Trade): void {
  cache.setQueryData<TradeList>(marketKeys.trades(trade.ticker), (old) => {
    if (!old || old.trades.some(({ id }) => id === trade.id)) return old;
    return { ...old, trades: [trade, ...old.trades].slice(0, SHOWN_TRADES) };
  });
}

function applyPrices(cache: QueryClient, price: PriceEvent): void {
  const { ticker: _, volume, openInterest, ...dollars } = price;
  const cents = (text: string) => centsNumber(parseMicros(text), 'nearest');
  cache.setQueryData<MarketResponse>(
    marketKeys.detail(price.ticker),
    (old) =>
      old && {
        market: {
          ...old.market,
          ...dollars,
          yesBid: cents(dollars.yesBidDollars),
          yesAsk: cents(dollars.yesAskDollars),
          noBid: cents(dollars.noBidDollars),
          noAsk: cents(dollars.noAskDollars),
          lastPrice: cents(dollars.lastPriceDollars),
          volume: volume ?? old.market.volume,
          openInterest: openInterest ?? old.market.openInterest,
        },
      },
  );
}
