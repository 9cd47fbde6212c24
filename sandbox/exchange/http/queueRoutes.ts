import { bookOf } from '../market.ts';
import type { Order } from '../order.ts';
import { badParameter, type Call, list, namedAccount, notFound, ok, type Route } from './route.ts';
import { count } from './wire.ts';

/** Where resting orders stand in their queues. */

function positionWire({ exchange }: Call, order: Order): string {
  const market = exchange.world.markets.get(order.ticker);
  return count(market ? bookOf(market).aheadMicros(order.orderId) : 0n);
}

function listPositions(call: Call) {
  const { exchange, query } = call;
  const account = namedAccount(call);
  const tickers = list(query, 'market_tickers');
  const eventTicker = query.get('event_ticker');
  if (!tickers && !eventTicker) throw badParameter('market_tickers or event_ticker is required');
  const isAsked = ({ ticker }: Order) =>
    tickers?.includes(ticker) ?? exchange.world.markets.get(ticker)?.event.ticker === eventTicker;
  const own = [...exchange.resting.values()].filter(
    (order) => order.accountId === account.id && isAsked(order),
  );
  return ok({
    queue_positions: own.map((order) => ({
      order_id: order.orderId,
      market_ticker: order.ticker,
      queue_position_fp: positionWire(call, order),
    })),
  });
}

function getPosition(call: Call) {
  const order = call.exchange.resting.get(call.params[0] ?? '');
  if (!order || order.accountId !== namedAccount(call).id) throw notFound('order');
  return ok({ queue_position_fp: positionWire(call, order) });
}

const PATH = '/portfolio/orders';
const keyed = { keyed: true };

export const queueRoutes: Route[] = [
  { ...keyed, method: 'GET', path: `${PATH}/queue_positions`, handle: listPositions },
  { ...keyed, method: 'GET', path: `${PATH}/*/queue_position`, handle: getPosition },
];
