import { CONTRACT_STEP_MICROS, tryParseMicros } from '#lib/money.ts';
import { takeOrder } from '../bots.ts';
import { statusOf } from '../market.ts';
import { type Order, Refusal } from '../order.ts';
import { tradesOnShardOf } from '../shards.ts';
import type { Exchange } from '../state.ts';
import { badParameter, textOf } from './route.ts';

/** A taker fills a resting order now, at its price and out of its turn. @throws {Refusal} */
export function fillCommand(exchange: Exchange, fields: Record<string, unknown>): void {
  const order = restingOrder(exchange, fields);
  const market = exchange.world.markets.get(order.ticker);
  const trades = market && tradesOnShardOf(exchange, market);
  if (!trades || statusOf(market, exchange.clock.now()) !== 'active') {
    throw new Refusal(409, 'trading_is_paused', 'the market does not trade');
  }
  const all = fields.contracts === undefined;
  const contractMicros = all ? order.remainingMicros : tryParseMicros(textOf(fields.contracts));
  if (!contractMicros || contractMicros % CONTRACT_STEP_MICROS !== 0n) {
    throw badParameter('contracts must be a positive multiple of 0.01');
  }
  if (contractMicros > order.remainingMicros) throw badParameter('fewer contracts remain');
  takeOrder(exchange, market, order, contractMicros);
}

function restingOrder(
  exchange: Exchange,
  { orderId, clientOrderId }: Record<string, unknown>,
): Order {
  const order =
    exchange.resting.get(textOf(orderId)) ??
    [...exchange.resting.values()].find((one) => one.clientOrderId === clientOrderId);
  if (!order) throw new Refusal(404, 'not_found', 'no such resting order');
  return order;
}
