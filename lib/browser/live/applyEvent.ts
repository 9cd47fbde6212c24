import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { EventResponse, Market, MarketList, MarketResponse } from '#lib/api/schemas/market.ts';
import type {
  OrderEvent,
  OrderList,
  OrderRecord,
  OrderRecordWithEvents,
} from '#lib/api/schemas/order.ts';
import type { Portfolio } from '#lib/api/schemas/portfolio.ts';
import type { ServerEvent } from '#lib/api/stream.ts';
import { accountKeys } from '../queries/account.ts';
import { marketKeys } from '../queries/marketKeys.ts';
import { orderKeys } from '../queries/orders.ts';
import { savedVersion } from '../saved/savedVersion.ts';

/** Writes the stream's events to the query cache, which every view reads. */
export function applyEvent(cache: QueryClient, event: ServerEvent): void {
  if (event.name === 'market') applyMarket(cache, JSON.parse(event.data) as Market);
  if (event.name === 'order') {
    const received = JSON.parse(event.data) as { event: OrderEvent; order: OrderRecord };
    applyOrder(cache, received.event, received.order);
  }
  // The stream only says when funds moved; the balances are read from the chain.
  if (event.name === 'account') void cache.invalidateQueries({ queryKey: accountKeys.all });
  if (event.name === 'saved') {
    savedVersion.set((JSON.parse(event.data) as { version: number }).version);
  }
  if (event.name === 'reset') void cache.invalidateQueries({ queryKey: orderKeys.all });
}

function applyMarket(cache: QueryClient, market: Market): void {
  const replace = (markets: Market[]) =>
    markets.map((one) => (one.ticker === market.ticker ? market : one));
  const key = marketKeys.detail(market.ticker);
  const known = cache.getQueryData<MarketResponse>(key);
  cache.setQueryData<MarketResponse>(key, (old) => old && { market });
  cache.setQueryData<EventResponse>(
    marketKeys.event(market.eventTicker),
    (old) => old && { event: { ...old.event, markets: replace(old.event.markets) } },
  );
  cache.setQueriesData<MarketList>(
    { queryKey: marketKeys.lists },
    (old) => old && { ...old, markets: replace(old.markets) },
  );
  if (differsFromPortfolio(cache, market)) {
    void cache.invalidateQueries({ queryKey: accountKeys.all });
  }
  // A stream starts with the current state, which the page may already have.
  if (known && cache.getQueryData(key) === known) return;
  // The stream only says that something changed; these queries return what changed.
  void cache.invalidateQueries({ queryKey: marketKeys.orderBook(market.ticker) });
  void cache.invalidateQueries({ queryKey: marketKeys.trades(market.ticker) });
}

/** Whether a holding was read before its market ended or settled. */
function differsFromPortfolio(cache: QueryClient, { ticker, status }: Market): boolean {
  return cache
    .getQueriesData<Portfolio>({ queryKey: accountKeys.all, predicate: isPortfolio })
    .some(([, entries]) =>
      entries?.some(
        ({ venueMarket }) => venueMarket.marketId === ticker && venueMarket.status !== status,
      ),
    );
}

function isPortfolio({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[2] === 'portfolio';
}

function applyOrder(cache: QueryClient, event: OrderEvent, order: OrderRecord): void {
  cache.setQueriesData<OrderRecordWithEvents>(
    { queryKey: orderKeys.detail(order.id) },
    (old) =>
      old && {
        ...order,
        events: [...old.events.filter((one) => !sameEvent(one, event)), event],
      },
  );
  let isListed = false;
  const replace = (list: OrderList): OrderList => {
    if (!list.orders.some((one) => one.id === order.id)) return list;
    isListed = true;
    return { ...list, orders: list.orders.map((one) => (one.id === order.id ? order : one)) };
  };
  cache.setQueriesData<OrderList>({ queryKey: orderKeys.lists }, (old) => old && replace(old));
  cache.setQueriesData<InfiniteData<OrderList, string>>(
    { queryKey: orderKeys.allPages },
    (old) => old && { ...old, pages: old.pages.map(replace) },
  );
  // A list that was asked for before the end would bring the order back.
  if (!isListed || order.isComplete) {
    void cache.invalidateQueries({ queryKey: orderKeys.lists });
    void cache.invalidateQueries({ queryKey: orderKeys.allPages });
  }
  if (order.isComplete) void cache.invalidateQueries({ queryKey: accountKeys.all });
}

function sameEvent(a: OrderEvent, b: OrderEvent): boolean {
  return a.type === b.type && a.at === b.at;
}
