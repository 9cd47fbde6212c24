import { advanceMarket } from './bots.ts';
import { settlementCash } from './ledger.ts';
import {
  bookOf,
  deadlineAfterMsOf,
  type ExchangeMarket,
  type ExchangeStatus,
  payoutMicrosOf,
  statusOf,
} from './market.ts';
import { encode, type UpdateReason } from './order.ts';
import { endOrder } from './orderEnds.ts';
import { saveAccount, saveMarket, savePosition } from './persistence.ts';
import { purseFor, tradesOnShardOf } from './shards.ts';
import type { Exchange } from './state.ts';
import { welcome } from './welcome.ts';

/** Lists new rounds, removes old ones. */
export function refreshWorld(exchange: Exchange): void {
  const now = exchange.clock.now();
  const made = exchange.world.refresh(now, (event) => exchange.touchedEvents.has(event.ticker));
  for (const event of made) {
    welcome(exchange, event);
    exchange.signals.emit({ kind: 'event', event });
    for (const market of event.markets) {
      exchange.signals.emit({ kind: 'lifecycle', market, eventType: 'created' });
    }
  }
}

const SIGNAL_OF: Partial<Record<ExchangeStatus, string>> = {
  active: 'activated',
  closed: 'close_date_updated',
  inactive: 'deactivated',
  determined: 'determined',
  finalized: 'settled',
};

/** Moves every market to the status of its schedule. */
export function followSchedules(exchange: Exchange): void {
  const now = exchange.clock.now();
  for (const market of exchange.world.markets.values()) {
    const status = statusOf(market, now);
    if (status === market.seen) continue;
    const before = market.seen;
    market.seen = status;
    market.state.updatedAt = now;
    exchange.dirtyMarkets.add(market);
    if (hasClosed(before, status)) leaveTrading(exchange, market, 'CloseCancel');
    if (status === 'finalized') settle(exchange, market);
    // The real exchange sends no message when a market opens or closes by the clock.
    const isEarly = before !== undefined && deadlineAfterMsOf(market) > 0;
    const silent =
      (status === 'closed' && !isEarly) || (before === 'initialized' && status === 'active');
    const eventType = SIGNAL_OF[status];
    if (eventType && !silent) exchange.signals.emit({ kind: 'lifecycle', market, eventType });
    if (eventType === 'settled' && before !== 'determined') {
      exchange.signals.emit({ kind: 'lifecycle', market, eventType: 'determined' });
    }
  }
}

/** A market also closes while it is deactivated, which alone leaves its orders. */
function hasClosed(before: ExchangeStatus | undefined, status: ExchangeStatus): boolean {
  const isBefore = before === 'active' || before === 'inactive';
  return isBefore && status !== 'active' && status !== 'inactive';
}

/** Advances the markets that are due; returns their number. */
export function advanceMarkets(exchange: Exchange, most: number): number {
  const now = exchange.clock.now();
  let stirred = 0;
  for (const market of exchange.world.markets.values()) {
    if (market.nextBotAt > now || market.seen !== 'active') continue;
    if (!tradesOnShardOf(exchange, market)) continue;
    advanceMarket(exchange, market);
    stirred += 1;
    if (stirred >= most) break;
  }
  return stirred;
}

/** All resting orders end when a market closes, is reactivated, or changes its prices. */
export function leaveTrading(
  exchange: Exchange,
  market: ExchangeMarket,
  reason: UpdateReason,
): void {
  for (const resting of bookOf(market).orders()) {
    const order = exchange.resting.get(resting.orderId);
    if (order) endOrder(exchange, order, reason);
  }
  market.book = undefined;
  market.quotedFair = undefined;
}

/** Pays all holders of a final market, once. */
export function settle(exchange: Exchange, market: ExchangeMarket): void {
  if (market.state.settled) return;
  market.state.settled = true;
  market.state.botNetMicros = {};
  const payout = payoutMicrosOf(market);
  for (const account of exchange.accounts.values()) {
    const position = account.positions.get(market.ticker);
    if (!position || position.netMicros === 0n) continue;
    const revenueMicros = settlementCash(position.netMicros, payout);
    exchange.store.run(
      'insert or ignore into settlements values (?, ?, ?, ?)',
      account.id,
      market.ticker,
      exchange.clock.now(),
      encode({
        eventTicker: market.event.ticker,
        netMicros: position.netMicros,
        costMicros: position.exposureMicros,
        feesMicros: position.feesMicros,
        revenueMicros,
        payoutYesMicros: payout,
      }),
    );
    purseFor(account, market).balanceMicros += revenueMicros;
    position.realizedMicros += revenueMicros - position.exposureMicros;
    position.exposureMicros = 0n;
    position.netMicros = 0n;
    position.updatedAt = exchange.clock.now();
    savePosition(exchange, account, market);
    saveAccount(exchange, account);
    saveMarket(exchange, market);
  }
}
