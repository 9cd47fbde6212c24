import type { Trade } from './history.ts';
import type { Account } from './ledger.ts';
import type { ExchangeMarket, MarketState } from './market.ts';
import { decode, encode, type Fill, type Order } from './order.ts';
import { totalCash } from './shards.ts';
import type { Exchange } from './state.ts';

/** Rows of the store, written by trading and loaded at start. */

export function saveAccount(exchange: Exchange, account: Account): void {
  exchange.store.run(
    // Keys have a table of their own; these columns are of the time when an account had one.
    `insert into accounts (id, key_id, public_key_pem, balance_micros) values (?, ?, '', ?)
     on conflict (id) do update set balance_micros = excluded.balance_micros`,
    account.id,
    account.id,
    totalCash(account),
  );
  for (const [shard, { balanceMicros }] of account.purses) {
    exchange.store.run(
      'insert or replace into purses values (?, ?, ?)',
      account.id,
      shard,
      balanceMicros,
    );
  }
}

export function savePosition(exchange: Exchange, account: Account, market: ExchangeMarket): void {
  const position = account.positions.get(market.ticker);
  if (!position) return;
  exchange.touchedEvents.add(market.event.ticker);
  exchange.store.run(
    `insert into positions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (account_id, ticker) do update set net_micros = excluded.net_micros,
       exposure_micros = excluded.exposure_micros, realized_micros = excluded.realized_micros,
       fees_micros = excluded.fees_micros, traded_micros = excluded.traded_micros,
       updated_at = excluded.updated_at`,
    account.id,
    market.ticker,
    market.event.template.ticker,
    market.event.life.closeAt,
    position.netMicros,
    position.exposureMicros,
    position.realizedMicros,
    position.feesMicros,
    position.tradedMicros,
    position.updatedAt,
  );
}

export function saveOrder(exchange: Exchange, order: Order): void {
  exchange.store.run(
    `insert into orders values (?, ?, ?, ?, ?, ?, ?)
     on conflict (order_id) do update set status = excluded.status, body = excluded.body`,
    order.orderId,
    order.accountId,
    order.clientOrderId,
    order.ticker,
    order.status,
    order.createdAt,
    encode(order),
  );
}

/** Uses up a client order id; false when it was used before. */
export function burnClientOrderId(
  exchange: Exchange,
  accountId: string,
  clientOrderId: string,
): boolean {
  const rows = exchange.store.all(
    'select 1 from client_ids where account_id = ? and client_order_id = ?',
    accountId,
    clientOrderId,
  );
  if (rows.length > 0) return false;
  exchange.store.run('insert into client_ids values (?, ?)', accountId, clientOrderId);
  return true;
}

export function saveFill(exchange: Exchange, fill: Fill): void {
  exchange.store.run(
    'insert into fills values (?, ?, ?, ?, ?, ?)',
    fill.fillId,
    fill.accountId,
    fill.orderId,
    fill.ticker,
    fill.at,
    encode(fill),
  );
}

export function saveTrade(exchange: Exchange, trade: Trade): void {
  exchange.store.run(
    'insert into trades values (?, ?, ?, ?, ?, ?, ?)',
    trade.tradeId,
    trade.ticker,
    trade.at,
    trade.contractMicros,
    trade.priceMicros,
    trade.takerSide,
    trade.openInterestMicros,
  );
}

export function saveMarket(exchange: Exchange, market: ExchangeMarket): void {
  const { state } = market;
  exchange.store.run(
    `insert into market_states values (?, ?, ?, ?)
     on conflict (ticker) do update set body = excluded.body`,
    market.ticker,
    market.event.template.ticker,
    market.event.life.closeAt,
    encode({ ...state, hourly: [...state.hourly] }),
  );
}

/** Writes the simulated traders' changes since the last call. */
export function flushLazily(exchange: Exchange): void {
  for (const trade of exchange.unsavedTrades.splice(0)) saveTrade(exchange, trade);
  for (const market of exchange.dirtyMarkets) saveMarket(exchange, market);
  exchange.dirtyMarkets.clear();
}

type StateRow = { ticker: string; series_ticker: string; close_at: bigint; body: string };

/** Puts the stored states back on the listed markets. */
export function loadMarketStates(exchange: Exchange): void {
  for (const row of exchange.store.all<StateRow>('select * from market_states')) {
    const market = exchange.world.markets.get(row.ticker);
    if (!market) continue;
    const stored = decode<MarketState & { hourly: [number, bigint][] }>(row.body);
    market.state = { ...market.state, ...stored, hourly: new Map(stored.hourly) };
  }
}

/** The orders that were resting when the exchange stopped, by their places in the queue. */
export function loadRestingOrders(exchange: Exchange): Order[] {
  const rows = exchange.store.all<{ body: string }>(
    "select body from orders where status = 'resting' order by rowid",
  );
  const orders = rows.map((row) => decode<Order>(row.body));
  const queuedAt = (order: Order) => order.queuedAt ?? order.createdAt;
  return orders.toSorted((a, b) => queuedAt(a) - queuedAt(b));
}
