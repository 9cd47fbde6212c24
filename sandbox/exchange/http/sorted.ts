import type { ExchangeEvent, ExchangeMarket } from '../market.ts';
import type { Exchange } from '../state.ts';

/** Listings in ticker order, cached until the number of listed items changes. */
const cache = new WeakMap<
  Exchange,
  { size: number; last: string; markets: ExchangeMarket[]; events: ExchangeEvent[] }
>();

function sorted(exchange: Exchange) {
  const { events, markets } = exchange.world;
  const last = [...events.keys()].at(-1) ?? '';
  const known = cache.get(exchange);
  if (known && known.size === markets.size && known.last === last) return known;
  const fresh = {
    size: markets.size,
    last,
    markets: [...markets.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
    events: [...events.values()].sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
  };
  cache.set(exchange, fresh);
  return fresh;
}

export function sortedMarkets(exchange: Exchange): ExchangeMarket[] {
  return sorted(exchange).markets;
}

export function sortedEvents(exchange: Exchange): ExchangeEvent[] {
  return sorted(exchange).events;
}
