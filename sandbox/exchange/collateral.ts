import { costMicros, MICROS, maxMicros, minMicros } from '#lib/money.ts';
import type { BookSide } from './book.ts';
import { tradeFeeMicros } from './fees.ts';
import type { Account } from './ledger.ts';
import { bookOf, type ExchangeMarket } from './market.ts';
import type { Order } from './order.ts';
import { purseFor } from './shards.ts';
import { type Exchange, feesOf } from './state.ts';

/**
 * Cash that resting orders keep from other use, per shard: the contracts that would open a position
 * at their own price, with the highest fee. Older orders close the held position first.
 */

/** Reserves anew for all resting orders of an account in a market. */
export function reserveCollateral(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
): void {
  const purse = purseFor(account, market);
  const closable = {
    bid: closableMicros(account, market, 'bid'),
    ask: closableMicros(account, market, 'ask'),
  };
  for (const order of restingOf(exchange, account, market)) {
    const closing = minMicros(closable[order.side], order.remainingMicros);
    closable[order.side] -= closing;
    const needed = collateralOf(exchange, market, order, order.remainingMicros - closing);
    purse.lockedMicros += needed - order.lockedMicros;
    order.lockedMicros = needed;
  }
}

/** Reserves for all resting orders, as after a restart. */
export function reserveAllCollateral(exchange: Exchange): void {
  const tickersByAccount = new Map<string, Set<string>>();
  for (const { accountId, ticker } of exchange.resting.values()) {
    const tickers = tickersByAccount.get(accountId) ?? new Set();
    tickersByAccount.set(accountId, tickers.add(ticker));
  }
  for (const [accountId, tickers] of tickersByAccount) {
    const account = exchange.accounts.get(accountId);
    for (const ticker of tickers) {
      const market = exchange.world.markets.get(ticker);
      if (account && market) reserveCollateral(exchange, account, market);
    }
  }
}

/** Frees what an order reserved, once it has left its book. */
export function releaseCollateral(account: Account, market: ExchangeMarket, order: Order): void {
  purseFor(account, market).lockedMicros -= order.lockedMicros;
  order.lockedMicros = 0n;
}

/**
 * The net position that another order of this side may close: what the resting ones leave of it.
 * @param except an order that is about to be replaced
 */
export function netBesidesResting(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  { side, except }: { side: BookSide; except?: Order },
): bigint {
  let left = closableMicros(account, market, side);
  for (const order of restingOf(exchange, account, market)) {
    if (order.side === side && order !== except) left -= order.remainingMicros;
  }
  left = maxMicros(left, 0n);
  return side === 'ask' ? left : -left;
}

function closableMicros(account: Account, { ticker }: ExchangeMarket, side: BookSide): bigint {
  const net = account.positions.get(ticker)?.netMicros ?? 0n;
  return maxMicros(side === 'ask' ? net : -net, 0n);
}

/** Oldest first. */
function* restingOf(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
): Generator<Order> {
  for (const { orderId, accountId } of bookOf(market).orders()) {
    if (accountId !== account.id) continue;
    const order = exchange.resting.get(orderId);
    if (order) yield order;
  }
}

function collateralOf(
  exchange: Exchange,
  market: ExchangeMarket,
  { side, priceMicros }: Order,
  openingMicros: bigint,
): bigint {
  if (openingMicros === 0n) return 0n;
  const own = side === 'bid' ? priceMicros : MICROS - priceMicros;
  const fees = feesOf(exchange, market, exchange.clock.now());
  return (
    costMicros(openingMicros, own, 'up') + tradeFeeMicros(fees, true, openingMicros, priceMicros)
  );
}
