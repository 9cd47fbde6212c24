import type { Chain } from '../../chain/client.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import { storeBaseline } from './baselines.ts';
import type { Books, ExchangeSnapshot } from './bookSnapshot.ts';
import { compareChain } from './compareChain.ts';
import { cashByBooks, compareExchange, showsAllHeld } from './compareExchange.ts';
import { compareOrders, readOrdersSince } from './compareOrders.ts';
import { type Difference, keyOf } from './difference.ts';
import { QUERIES_PER_RUN, readBooks } from './readBooks.ts';
import { readChainSnapshot } from './readChain.ts';
import type { Cost } from './runs.ts';

export type ReconcileDeps = { database: Database; chain: Chain; exchange: Exchange; log: Log };

/** Less than the time between two readings, so that the second sees what the first cannot yet. */
const MOST_LAG_MS = 2_000;

/** No comparison is possible now: the chain is being re-read, or a dependency does not respond. */
export class NotComparableError extends Error {
  override readonly name = 'NotComparableError';
}

/**
 * One reading: all current differences, excluding known work in flight. Writes nothing except the
 * exchange's opening cash, if missing.
 */
export async function findDifferences(deps: ReconcileDeps, cost: Cost): Promise<Difference[]> {
  const before = await booksOf(deps, cost);
  const orders = await findUnknownFills(deps, cost);
  const exchange = await readExchange(deps.exchange, cost);
  const after = await booksOf(deps, cost);
  const chain = await readChainSnapshot(deps.chain, after, cost);
  if (!chain) throw new NotComparableError('the chain went back while it was read');
  // Once an order may have moved cash unrecorded, the cash is no longer the opening one.
  if (orders.length === 0) await openCash(deps, { before, after }, exchange);
  return [
    ...withinBooks(after),
    ...compareChain(after, chain),
    ...compareExchange({ before, after }, exchange),
    ...orders,
  ].filter((one) => !isAccepted(after, one));
}

async function booksOf(deps: ReconcileDeps, cost: Cost): Promise<Books> {
  cost.queries += QUERIES_PER_RUN;
  const books = await readBooks(deps.database);
  if (!books) throw new NotComparableError('the chain is being read; the books are behind it');
  return books;
}

async function readExchange(exchange: Exchange, cost: Cost): Promise<ExchangeSnapshot> {
  cost.exchangeCalls += 3;
  const knownThrough = await exchange.getReadsKnownThrough();
  if (Date.now() - knownThrough.getTime() > MOST_LAG_MS) {
    throw new NotComparableError('what the exchange shows of our account lags behind');
  }
  const [cashUsdcMicros, positions] = await Promise.all([
    exchange.getBalanceMicros(),
    exchange.listPositions(),
  ]);
  return {
    cashUsdcMicros,
    netOf: new Map(positions.map((one) => [one.ticker, one.netContractMicros])),
  };
}

/**
 * The cash before the first order. Recorded once, while nothing is in flight and the exchange has
 * made no unrecorded payment: such a payment would count as opening cash.
 */
async function openCash(
  deps: ReconcileDeps,
  { before, after }: { before: Books; after: Books },
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

/** Postings that do not balance, and orders whose own records disagree. */
export function withinBooks(books: Books): Difference[] {
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
  const orders = books.orderProblems.map((problem): Difference => {
    const { kind, orderId, ticker, expectedMicros, actualMicros, explanation } = problem;
    return {
      kind,
      subject: `${orderId} ${explanation}`,
      expectedMicros,
      actualMicros,
      // An order that is late or without room does not affect the market's money.
      tickers: ticker === null || kind === 'order_stuck' || kind === 'order_room' ? [] : [ticker],
      orderIds: [orderId],
      explanation,
    };
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
  return accepted !== undefined && accepted === difference.actualMicros - difference.expectedMicros;
}
