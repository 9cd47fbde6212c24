import { MICROS, maxMicros } from '#lib/money.ts';
import { archivedPositions, cutoffsOf } from '../archive.ts';
import { type Account, settlementCash } from '../ledger.ts';
import { beliefIn } from '../market.ts';
import { decode, type Fill, type Order } from '../order.ts';
import { freeCash, purseOf, SHARDS, shardOfTicker } from '../shards.ts';
import { family } from '../subaccounts.ts';
import {
  badParameter,
  type Call,
  decodeCursor,
  encodeCursor,
  integer,
  list,
  listedAccounts,
  namedAccount,
  notFound,
  ok,
  type Route,
  seconds,
} from './route.ts';
import { count, dollars, fillWire, orderWire, time, wholeCents } from './wire.ts';

type Body = { body: string; created_at: bigint; seq: bigint };

export type ArchiveSide = 'live' | 'archived';

/** Which rows the archive has; each `?` is the cutoff. */
const IS_ARCHIVED = {
  orders: `(status <> 'resting' and created_at < ? and json_extract(body, '$.updatedAt') < ?)`,
  fills: '(created_at < ? and created_at < ?)',
};

/** Rows of one account on one side of the cutoff, newest first, up to the read lag. */
function rows(
  call: Call,
  [table, side]: ['orders' | 'fills', ArchiveSide],
  extra: string,
  values: (string | number)[],
) {
  const { exchange, query, now } = call;
  const accounts = listedAccounts(call).map((account) => account.id);
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const before = decodeCursor(query);
  const { readLagMs, fillLagMs } = exchange.faults;
  const cutoff = Math.floor(cutoffsOf(exchange)[table === 'orders' ? 'orders' : 'trades']);
  const asOf = now - readLagMs - (table === 'fills' ? fillLagMs : 0);
  const found = exchange.store.all<Body>(
    `select body, created_at, rowid as seq from ${table}
     where account_id in (select value from json_each(?)) and created_at between ? and ?
       and rowid < ? ${extra} and ${side === 'live' ? 'not' : ''} ${IS_ARCHIVED[table]}
     order by rowid desc limit ?`,
    JSON.stringify(accounts),
    Math.floor(seconds(query, 'min_ts') ?? 0),
    Math.ceil(Math.min(seconds(query, 'max_ts') ?? asOf, asOf)),
    before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
    ...values,
    cutoff,
    cutoff,
    limit + 1,
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, cursor: found.length > limit && last ? encodeCursor(String(last.seq)) : '' };
}

export function listOrders(call: Call, side: ArchiveSide = 'live') {
  const { query } = call;
  const ticker = query.get('ticker');
  const status = query.get('status');
  const events = list(query, 'event_ticker');
  if (status && !['resting', 'canceled', 'executed'].includes(status)) {
    throw badParameter('status must be resting, canceled or executed');
  }
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (ticker) {
    conditions.push('and ticker = ?');
    values.push(ticker);
  }
  if (status) {
    conditions.push('and status = ?');
    values.push(status);
  }
  const shard = query.get('exchange_index');
  if (shard !== null) {
    conditions.push("and json_extract(body, '$.shard') = ?");
    values.push(Number(shard));
  }
  if (events) {
    conditions.push(`and (${events.map(() => 'ticker = ? or ticker like ?').join(' or ')})`);
    values.push(...events.flatMap((event) => [event, `${event}-%`]));
  }
  const { shown, cursor } = rows(call, ['orders', side], conditions.join(' '), values);
  const orders = shown.map((row) => orderWire(decode<Order>(row.body)));
  return ok({ orders: shuffleOnRequest(call, orders), cursor });
}

function getOrder(call: Call) {
  const { exchange, params, now } = call;
  const accounts = family(exchange, call.account).map((account) => account.id);
  const [row] = exchange.store.all<Body>(
    `select body, created_at, rowid as seq from orders
     where order_id = ? and account_id in (select value from json_each(?))`,
    params[0] ?? '',
    JSON.stringify(accounts),
  );
  if (!row || Number(row.created_at) > now - exchange.faults.readLagMs) throw notFound('order');
  const order = decode<Order>(row.body);
  const hasLeft = order.status !== 'resting' && order.updatedAt < cutoffsOf(exchange).orders;
  if (hasLeft) throw notFound('order');
  return ok({ order: orderWire(order) });
}

export function listFills(call: Call, side: ArchiveSide = 'live') {
  const { query } = call;
  const ticker = query.get('ticker');
  const orderId = query.get('order_id');
  const conditions: string[] = [];
  const values: string[] = [];
  if (ticker) {
    conditions.push('and ticker = ?');
    values.push(ticker);
  }
  if (orderId) {
    conditions.push('and order_id = ?');
    values.push(orderId);
  }
  const { shown, cursor } = rows(call, ['fills', side], conditions.join(' '), values);
  const fills = shown.map((row) => fillWire(decode<Fill>(row.body)));
  const twice = fills.length > 0 && call.happens('duplicate_fills');
  return ok({ fills: shuffleOnRequest(call, twice ? [...fills, ...fills] : fills), cursor });
}

function shuffleOnRequest<T>({ happens }: Call, items: T[]): T[] {
  if (items.length < 2 || !happens('shuffled_pages')) return items;
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1));
}

function getBalance(call: Call) {
  const { exchange, now } = call;
  const account = namedAccount(call);
  let value = 0n;
  for (const [ticker, position] of account.positions) {
    const market = exchange.world.markets.get(ticker);
    if (!market || position.netMicros === 0n) continue;
    value += settlementCash(position.netMicros, BigInt(Math.round(beliefIn(market, now) * 1e6)));
  }
  const named = call.query.get('exchange_index');
  const breakdown = SHARDS.map(({ shard }) => ({
    shard,
    free: freeCash(purseOf(account, shard)),
  }));
  const free = breakdown
    .filter(({ shard }) => named === null || shard === Number(named))
    .reduce((sum, one) => sum + one.free, 0n);
  return ok({
    balance: wholeCents(free),
    balance_dollars: dollars(free),
    portfolio_value: wholeCents(value),
    updated_ts: Math.floor(now / 1000),
    balance_breakdown: breakdown.map((one) => ({
      exchange_index: one.shard,
      balance: dollars(one.free),
    })),
  });
}

export function listPositions(call: Call, side: ArchiveSide = 'live') {
  const { exchange, query } = call;
  const account = namedAccount(call);
  const ticker = query.get('ticker');
  const eventTicker = query.get('event_ticker');
  const settlement = side === 'live' ? (query.get('settlement_status') ?? 'unsettled') : 'settled';
  const archived = archivedPositions(exchange, account);
  const positions = [...account.positions].filter(([key]) => {
    const market = exchange.world.markets.get(key);
    const isSettled = market?.state.settled ?? true;
    return (
      archived.has(key) === (side === 'archived') &&
      (!ticker || key === ticker) &&
      (!eventTicker || market?.event.ticker === eventTicker) &&
      (settlement === 'all' || isSettled === (settlement === 'settled'))
    );
  });
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const start = Number(decodeCursor(query) ?? '0');
  const shown = positions.slice(start, start + limit);
  return ok({
    market_positions: shown.map(([key, position]) => ({
      ticker: key,
      exchange_index: shardOfTicker(exchange, key),
      position_fp: count(position.netMicros),
      market_exposure_dollars: dollars(position.exposureMicros),
      total_traded_dollars: dollars(position.tradedMicros),
      realized_pnl_dollars: dollars(position.realizedMicros),
      fees_paid_dollars: dollars(position.feesMicros),
      last_updated_ts: time(position.updatedAt),
    })),
    event_positions: eventPositions(exchange, shown),
    cursor: start + limit < positions.length ? encodeCursor(String(start + limit)) : '',
  });
}

function eventPositions(
  exchange: Call['exchange'],
  shown: [string, Account['positions'] extends Map<string, infer P> ? P : never][],
) {
  const byEvent = new Map<
    string,
    { cost: bigint; shares: bigint; realized: bigint; fees: bigint }
  >();
  for (const [key, position] of shown) {
    const event = exchange.world.markets.get(key)?.event.ticker;
    if (!event) continue;
    const sum = byEvent.get(event) ?? { cost: 0n, shares: 0n, realized: 0n, fees: 0n };
    sum.cost += position.exposureMicros;
    sum.shares += maxMicros(position.netMicros, -position.netMicros);
    sum.realized += position.realizedMicros;
    sum.fees += position.feesMicros;
    byEvent.set(event, sum);
  }
  return [...byEvent].map(([event, sum]) => ({
    event_ticker: event,
    total_cost_dollars: dollars(sum.cost),
    total_cost_shares_fp: count(sum.shares),
    event_exposure_dollars: dollars(sum.cost),
    realized_pnl_dollars: dollars(sum.realized),
    fees_paid_dollars: dollars(sum.fees),
  }));
}

type SettlementBody = {
  eventTicker: string;
  netMicros: bigint;
  costMicros: bigint;
  feesMicros: bigint;
  revenueMicros: bigint;
  payoutYesMicros: bigint;
};

function listSettlements(call: Call) {
  const { exchange, query } = call;
  const account = namedAccount(call);
  const limit = integer(query, 'limit', { least: 1, most: 1000, fallback: 100 });
  const ticker = query.get('ticker');
  const start = Number(decodeCursor(query) ?? '0');
  const found = exchange.store.all<{ ticker: string; settled_at: bigint; body: string }>(
    `select ticker, settled_at, body from settlements
     where account_id = ? and settled_at between ? and ? and (? = '' or ticker = ?)
     order by settled_at desc, ticker limit ? offset ?`,
    account.id,
    // Archived ones are listed nowhere.
    Math.floor(Math.max(seconds(query, 'min_ts') ?? 0, cutoffsOf(exchange).positions)),
    Math.ceil(seconds(query, 'max_ts') ?? Number.MAX_SAFE_INTEGER / 2),
    ticker ?? '',
    ticker ?? '',
    limit + 1,
    start,
  );
  const settlements = found
    .slice(0, limit)
    .map((row) => settlementWire(row, decode(row.body), shardOfTicker(exchange, row.ticker)));
  return ok({
    settlements,
    cursor: found.length > limit ? encodeCursor(String(start + limit)) : '',
  });
}

function settlementWire(
  row: { ticker: string; settled_at: bigint },
  body: SettlementBody,
  shard: number,
) {
  const payout = body.payoutYesMicros;
  const isYes = body.netMicros > 0n;
  const held = isYes ? body.netMicros : -body.netMicros;
  return {
    ticker: row.ticker,
    event_ticker: body.eventTicker,
    exchange_index: shard,
    market_result: payout === MICROS ? 'yes' : payout === 0n ? 'no' : 'scalar',
    yes_count_fp: count(isYes ? held : 0n),
    yes_total_cost_dollars: dollars(isYes ? body.costMicros : 0n),
    no_count_fp: count(isYes ? 0n : held),
    no_total_cost_dollars: dollars(isYes ? 0n : body.costMicros),
    revenue: wholeCents(body.revenueMicros),
    value: wholeCents(payout),
    fee_cost: dollars(body.feesMicros),
    settled_time: time(Number(row.settled_at)),
  };
}

const keyed = { keyed: true };

export const portfolioRoutes: Route[] = [
  { ...keyed, method: 'GET', path: '/portfolio/orders', handle: (call) => listOrders(call) },
  { ...keyed, method: 'GET', path: '/portfolio/orders/*', tokens: 2, handle: getOrder },
  { ...keyed, method: 'GET', path: '/portfolio/fills', handle: (call) => listFills(call) },
  { ...keyed, method: 'GET', path: '/portfolio/positions', handle: (call) => listPositions(call) },
  { ...keyed, method: 'GET', path: '/portfolio/balance', handle: getBalance },
  { ...keyed, method: 'GET', path: '/portfolio/settlements', handle: listSettlements },
];
