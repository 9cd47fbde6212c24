import type { ExchangeEvent, ExchangeMarket } from './market.ts';
import type { Exchange } from './state.ts';
import { welcome } from './welcome.ts';

/**
 * The listing: the world's events, which are live, and the benchmark's, which are generated on read
 * and join the world when they are first traded.
 */
export function findEvent(exchange: Exchange, ticker: string): ExchangeEvent | undefined {
  return exchange.world.events.get(ticker) ?? benchmarkEvent(exchange, ticker);
}

export function findMarket(exchange: Exchange, ticker: string): ExchangeMarket | undefined {
  const known = exchange.world.markets.get(ticker);
  if (known) return known;
  return benchmarkEvent(exchange, ticker)?.markets.find((market) => market.ticker === ticker);
}

/** The same, for trading: its event stays listed from now on. */
export function adoptMarket(exchange: Exchange, ticker: string): ExchangeMarket | undefined {
  const { events, markets } = exchange.world;
  const known = markets.get(ticker);
  if (known) return known;
  const event = benchmarkEvent(exchange, ticker);
  if (!event) return undefined;
  events.set(event.ticker, event);
  for (const market of event.markets) markets.set(market.ticker, market);
  welcome(exchange, event);
  return markets.get(ticker);
}

/** Events of the benchmark from a number on, up to a count, without adopted ones. Read-only. */
export function benchmarkEvents(exchange: Exchange, from: number, to: number): ExchangeEvent[] {
  const { benchmark, world, clock } = exchange;
  const now = clock.now();
  const made: ExchangeEvent[] = [];
  for (let index = from; index < Math.min(to, benchmark.eventCount); index += 1) {
    const event = benchmark.listedAt(index, now);
    if (!world.events.has(event.ticker)) made.push(event);
  }
  return made;
}

function benchmarkEvent(exchange: Exchange, ticker: string): ExchangeEvent | undefined {
  const now = exchange.clock.now();
  const index = exchange.benchmark.indexOf(ticker, now);
  return index === undefined ? undefined : exchange.benchmark.eventAt(index, now);
}
