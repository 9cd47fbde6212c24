import { intervalMs } from './bots.ts';
import { type ExchangeEvent, statusOf } from './market.ts';
import { unit } from './random.ts';
import { type Exchange, givePast } from './state.ts';

/** Prepares a new event: its simulated past and its first quotes. */
export function welcome(exchange: Exchange, event: ExchangeEvent): void {
  const now = exchange.clock.now();
  givePast(exchange, event);
  for (const market of event.markets) {
    market.seen = statusOf(market, now);
    const first = Math.max(now, market.state.schedule.openAt);
    market.nextBotAt = first + intervalMs(market) * unit(exchange.seed, market.ticker);
  }
}
