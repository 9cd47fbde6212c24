import { sql } from 'drizzle-orm';
import type { Chain } from '#server/chain/client.ts';
import type { Exchange, ExchangeOrder } from '#server/exchange/port.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { jsonForRows } from '#server/platform/database/jsonForRows.ts';
import type { Log } from '#server/platform/log.ts';
import { parseClientOrderId } from '../orders/lifecycle/attempts.ts';
import { compareChain } from './compareChain.ts';
import {
  cashByBooks,
  compareExchange,
  compareResting,
  showsAllHeld,
  type TwoReadings,
} from './compareExchange.ts';
import { type Difference, excessMicros, keyOf } from './difference.ts';
import {
  BOOKS_QUERIES,
  type Books,
  type ExchangeSnapshot,
  readBooks,
  readTradingBooks,
  TRADING_BOOKS_QUERIES,
  type TradingBooks,
} from './readBooks.ts';
import { readChainSnapshot } from './readChain.ts';
import { type Cost, storeBaseline } from './runs.ts';

export type ReconcileDeps = { database: Database; chain: Chain; exchange: Exchange; log: Log };

/** Less than the time between two readings, so that the second sees what the first cannot yet. */
const MOST_LAG_MS = 2_000;

/** Longer than the mirror of the catalogue can be behind. */
const SETTLEMENTS_SINCE_MS = 24 * 60 * 60_000;

/** No comparison is possible now: the chain is being re-read, or a dependency does not respond. */
export class NotComparableError extends Error {
  override readonly name = 'NotComparableError';
}

/**
 * One reading: all current differences, excluding known work in flight. Writes nothing except the
 * exchange's opening cash, if missing.
 */
export async function findDifferences(deps: ReconcileDeps, cost: Cost): Promise<Difference[]> {
  cost.queries += TRADING_BOOKS_QUERIES;
  const before = await readTradingBooks(deps.database);
  const orders = await findUnknownFills(deps, cost);
  const exchange = await readExchange(deps.exchange, before, cost);
  const after = await booksOf(deps, cost);
  const chain = await readChainSnapshot(deps.chain, after, cost);
  if (!chain) throw new NotComparableError('the chain went back while it was read');
  // Once an order may have moved cash unrecorded, the cash is no longer the opening one.
  if (orders.length === 0) await openCash(deps, { before, after }, exchange);
  return [
    ...withinBooks(after),
    ...compareChain(after, chain),
    ...compareExchange({ before, after }, exchange),
    ...compareResting({ before, after }, exchange),
    ...orders,
  ].filter((one) => !isAccepted(after, one));
}

async function booksOf(deps: ReconcileDeps, cost: Cost): Promise<Books> {
  cost.queries += BOOKS_QUERIES;
  const books = await readBooks(deps.database);
  if (!books) throw new NotComparableError('the chain is being read; the books are behind it');
  return books;
}

async function readExchange(
  exchange: Exchange,
  books: TradingBooks,
  cost: Cost,
): Promise<ExchangeSnapshot> {
  cost.exchangeCalls += 4;
  const knownThrough = await exchange.getReadsKnownThrough();
  if (Date.now() - knownThrough.getTime() > MOST_LAG_MS) {
    throw new NotComparableError('what the exchange shows of our account lags behind');
  }
  const resting = await exchange.listRestingOrders();
  const [cashUsdcMicros, positions] = await Promise.all([
    exchange.getBalanceMicros(),
    exchange.listPositions(),
  ]);
  const netOf = new Map(positions.map((one) => [one.ticker, one.netContractMicros]));
  return {
    cashUsdcMicros,
    netOf,
    paid: await findPaid(exchange, goneWhileOpen(books, netOf), cost),
    restingFilled: new Map(
      resting.map((order) => [order.clientOrderId, order.filledContractMicros]),
    ),
  };
}

/** Markets in which the books hold a position and the exchange none, open by the mirror. */
function goneWhileOpen(books: TradingBooks, netOf: ExchangeSnapshot['netOf']): string[] {
  const open = books.holdings.filter((one) => one.isTrading && one.contractMicros !== 0n);
  const tickers = new Set(open.map((one) => one.ticker));
  return [...tickers].filter((ticker) => (netOf.get(ticker) ?? 0n) === 0n);
}

/** The exchange may pay a market before the mirror has heard of its end. */
async function findPaid(
  exchange: Exchange,
  tickers: readonly string[],
  cost: Cost,
): Promise<Set<string>> {
  const since = new Date(Date.now() - SETTLEMENTS_SINCE_MS);
  const paid = new Set<string>();
  for (const ticker of tickers) {
    cost.exchangeCalls += 1;
    const settlements = await exchange.listSettlements({ since, ticker });
    if (settlements.length > 0) paid.add(ticker);
  }
  return paid;
}

/**
 * The cash before the first order. Recorded once, while nothing is in flight and the exchange has
 * made no unrecorded payment: such a payment would count as opening cash.
 */
async function openCash(
  deps: ReconcileDeps,
  { before, after }: TwoReadings,
  exchange: ExchangeSnapshot,
): Promise<void> {
  const subject = { kind: 'exchange_cash', subject: 'account' } as const;
  if (after.baselines.has(keyOf(subject))) return;
  const calm = [before, after].every(
    (books) => books.inFlight.length === 0 && books.inTransitUsdcMicros === 0n,
  );
  if (!calm || cashByBooks(before) !== cashByBooks(after)) return;
  if (!showsAllHeld(after, exchange)) return;
  const amountMicros = exchange.cashUsdcMicros - cashByBooks(after);
  const baseline = { ...subject, amountMicros, note: 'cash before the first comparison' };
  await storeBaseline(
    deps.database.orm,
    { ...baseline, acceptedBy: 'service' },
    { onlyIfNone: true },
  );
  deps.log.info({ amountMicros }, 'opening cash at the exchange recorded');
}

/** Recent orders of the exchange, by client order id. The ledger is read afterwards. */
async function findUnknownFills(
  { database, exchange }: ReconcileDeps,
  cost: Cost,
): Promise<Difference[]> {
  cost.queries += 2;
  const since = await readOrdersSince(database.orm);
  if (!since) return [];
  cost.exchangeCalls += 1;
  return await compareOrders(database.orm, await exchange.listOrders({ since }));
}

function withinBooks(books: Books): Difference[] {
  const postings = books.unbalancedPostings.map(
    ({ id, posting, asset, offMicros, ticker }): Difference => ({
      kind: 'ledger_unbalanced',
      subject: `${id} ${posting} ${asset}`,
      expectedMicros: 0n,
      actualMicros: offMicros,
      tickers: ticker === null ? [] : [ticker],
      orderIds: ticker === null ? [] : [id],
      explanation: `sum of the ${posting} posting in ${asset}`,
    }),
  );
  const orders = books.orderProblems.map(({ orderId, ticker, ...problem }): Difference => {
    // An order that is late or without room does not affect the market's money.
    const isHarmless = problem.kind === 'order_stuck' || problem.kind === 'order_room';
    const tickers = ticker === null || isHarmless ? [] : [ticker];
    const subject = `${orderId} ${problem.explanation}`;
    return { ...problem, subject, tickers, orderIds: [orderId] };
  });
  const settlements = books.settlementProblems.map(
    ({ ticker, state, logged }): Difference => ({
      kind: 'settlement_state',
      subject: ticker,
      expectedMicros: 1n,
      actualMicros: 0n,
      tickers: [ticker],
      orderIds: [],
      explanation: `settlement: ${state} in the books, last logged by the vault: ${logged ?? 'nothing'}`,
    }),
  );
  return [...postings, ...orders, ...settlements];
}

/** Expected positions and cash already include their baseline; the others are compared here. */
function isAccepted(books: Books, difference: Difference): boolean {
  if (difference.kind === 'exchange_position' || difference.kind === 'exchange_cash') return false;
  const accepted = books.baselines.get(keyOf(difference));
  return accepted !== undefined && accepted === excessMicros(difference);
}

/** More than the exchange's read lag plus the difference of two clocks. */
const OVERLAP_SECONDS = 120;

/**
 * The start of the comparison with the exchange's orders: the last comparison without findings, or
 * our first order. Undefined without one.
 */
async function readOrdersSince(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.execute<{ since: string | null }>(sql`
    select extract(epoch from coalesce(
      (select max(started_at) from reconciliation_runs where status = 'ok'),
      (select min(created_at) from orders)) - ${OVERLAP_SECONDS} * interval '1 second')::text as since`);
  const since = rows[0]?.since;
  return since ? new Date(Number(since) * 1_000) : undefined;
}

type Row = {
  n: number;
  order_id: string;
  ticker: string;
  status: string;
  booked: string;
  attempt_state: string | null;
};

/**
 * Orders that the exchange filled under one of our ids although our records call the attempt
 * absent, refused or never made, or filled differently. Attempts in flight are excluded.
 */
async function compareOrders(
  db: Queryable,
  orders: readonly ExchangeOrder[],
): Promise<Difference[]> {
  const ours = orders.flatMap((order) => {
    const named = parseClientOrderId(order.clientOrderId);
    return named && order.filledContractMicros > 0n ? [{ ...order, orderId: named.orderId }] : [];
  });
  if (ours.length === 0) return [];
  const asked = ours.map((order, n) => ({
    n,
    clientOrderId: order.clientOrderId,
    orderId: order.orderId,
    filledContractMicros: order.filledContractMicros,
  }));
  const { rows } = await db.execute<Row>(sql`
    select x.n, o.id as order_id, o.ticker, o.status, a.state as attempt_state,
      coalesce(a.filled_contract_micros, 0)::text as booked
    from jsonb_to_recordset(${jsonForRows(asked)}::jsonb) as x (n int, "clientOrderId" text,
      "orderId" uuid, "filledContractMicros" bigint)
    join orders o on o.id = x."orderId"
    left join exchange_attempts a on a.client_order_id = x."clientOrderId"
    where coalesce(a.filled_contract_micros, 0) <> x."filledContractMicros"
      and not (coalesce(a.state, 'stored') in ('stored', 'unknown')
        and (o.stage = 'place' or a.purpose = 'unwind' and o.is_unwinding))
      -- Compared with the orders that rest.
      and o.stage <> 'rest'
      and not (a.client_order_id is null and o.stage = 'request' and not o.is_complete)`);
  return rows.flatMap((row): Difference[] => {
    const found = ours[row.n];
    if (!found) return [];
    const state = row.attempt_state ?? 'never made';
    return [
      {
        kind: 'exchange_order',
        subject: found.clientOrderId,
        expectedMicros: BigInt(row.booked),
        actualMicros: found.filledContractMicros,
        tickers: [row.ticker],
        orderIds: [row.order_id],
        explanation: `contracts filled under an id of an order that is ${row.status}, by an attempt that is ${state} in the books`,
      },
    ];
  });
}
