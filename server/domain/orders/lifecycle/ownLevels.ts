import { type SQL, sql } from 'drizzle-orm';
import { formatMicros, MICROS, maxMicros, minMicros } from '#lib/money.ts';
import type { BookLevel, OrderBook, OutcomeSide, TradeAction } from '#server/exchange/port.ts';
import { batched } from '#server/platform/database/batched.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import type { TradeOrder } from './orderRow.ts';

/**
 * One exchange account serves all users, so an order of ours must never meet another one there.
 * Every resting order claims its price before it is sent. Claims of one market are taken one after
 * the other, and none is given beside one that it would trade with. An order that takes from the
 * book looks at the claims after its attempt is stored and right before it leaves
 * (`attempts.ts`), a claim looks at stored attempts after it is committed: at least one of the two
 * sees the other.
 */

/** The best prices of our own resting orders in a market, in Yes terms; undefined without any. */
export type OwnLevels = { bidMicros?: bigint; askMicros?: bigint };

type Priced = { tradeAction: TradeAction; side: OutcomeSide; limitPriceMicros: bigint };

/** A purchase of Yes and a sale of No bid for Yes; the other two offer it. */
export function isBid({ tradeAction, side }: Pick<Priced, 'tradeAction' | 'side'>): boolean {
  return (tradeAction === 'buy') === (side === 'yes');
}

/** A price of one side as a price of Yes, and back. */
export function yesPriceOf(side: OutcomeSide, priceMicros: bigint): bigint {
  return side === 'yes' ? priceMicros : MICROS - priceMicros;
}

export function crosses(order: Priced, own: OwnLevels): boolean {
  const price = yesPriceOf(order.side, order.limitPriceMicros);
  return isBid(order)
    ? own.askMicros !== undefined && price >= own.askMicros
    : own.bidMicros !== undefined && price <= own.bidMicros;
}

/** The claims in force: the worst of a price and of the one it is being amended to. */
const IN_FORCE = sql`o.price_claimed_at is not null and not o.is_complete
  and o.stage in ('request', 'place', 'rest')`;
const IS_BID = sql`((o.trade_action = 'buy') = (o.side = 'yes'))`;
const YES_PRICE = sql`case o.side when 'yes' then o.limit_price_micros
  else ${MICROS} - o.limit_price_micros end`;
const AMENDED_YES_PRICE = sql`case o.side
  when 'yes' then coalesce(o.amend_price_micros, o.limit_price_micros)
  else ${MICROS} - coalesce(o.amend_price_micros, o.limit_price_micros) end`;

/**
 * Whether a claim of another order than `orderId` would trade with a price, for use within a
 * larger statement.
 */
export function isClaimedAgainst(order: {
  id: SQL;
  ticker: SQL;
  isBid: SQL;
  yesPriceMicros: SQL;
}): SQL {
  return sql`exists (select 1 from orders o
    where o.ticker = ${order.ticker} and o.id <> ${order.id} and ${IN_FORCE}
      and ${IS_BID} <> (${order.isBid})
      and case when ${IS_BID}
        then greatest(${YES_PRICE}, ${AMENDED_YES_PRICE}) >= ${order.yesPriceMicros}
        else least(${YES_PRICE}, ${AMENDED_YES_PRICE}) <= ${order.yesPriceMicros} end)`;
}

const levelsOf = memoizeByObject(({ orm }: Database) =>
  batched<string, OwnLevels>((tickers) => readOwnLevels(orm, tickers)),
);

/** The best of our own resting orders; concurrent reads share a statement. */
export async function findOwnLevels(database: Database, ticker: string): Promise<OwnLevels> {
  return (await levelsOf(database)(ticker)) ?? {};
}

async function readOwnLevels(
  db: Queryable,
  tickers: readonly string[],
): Promise<Map<string, OwnLevels>> {
  const { rows } = await db.execute<{ ticker: string; bid: string | null; ask: string | null }>(sql`
    select o.ticker,
      max(greatest(${YES_PRICE}, ${AMENDED_YES_PRICE})) filter (where ${IS_BID})::text as bid,
      min(least(${YES_PRICE}, ${AMENDED_YES_PRICE})) filter (where not ${IS_BID})::text as ask
    from orders o
    where o.ticker = any(${sql.param([...tickers])}::text[]) and ${IN_FORCE}
    group by o.ticker`);
  return new Map(
    rows.map(({ ticker, bid, ask }) => [
      ticker,
      {
        ...(bid !== null && { bidMicros: BigInt(bid) }),
        ...(ask !== null && { askMicros: BigInt(ask) }),
      },
    ]),
  );
}

/** Quotes share a read for this long; orders read it themselves. */
const SHARED_MS = 250;
const RENEW_AFTER_MS = 190;
const recentLevelsOf = memoizeByObject((database: Database) =>
  createTimedCache(SHARED_MS, (ticker) => findOwnLevels(database, ticker), {
    renewAfterMs: RENEW_AFTER_MS,
  }),
);

/** The best of our own resting orders a moment ago. */
export function getRecentOwnLevels(database: Database, ticker: string): Promise<OwnLevels> {
  return recentLevelsOf(database)(ticker);
}

/** The part of a market's book that an order of ours could take a moment ago. */
export async function tradableBook(database: Database, book: OrderBook): Promise<OrderBook> {
  return withoutOwnLevels(book, await getRecentOwnLevels(database, book.ticker));
}

/**
 * Why a limit order that may rest is refused: it would trade with one of ours at once. Checked
 * again, with no gap, when the order goes to the exchange.
 */
export function crossProblem(order: Priced, own: OwnLevels): ServiceError | undefined {
  if (!crosses(order, own)) return undefined;
  const level = (isBid(order) ? own.askMicros : own.bidMicros) ?? 0n;
  const price = formatMicros(yesPriceOf(order.side, level));
  const worse = order.tradeAction === 'buy' ? 'below' : 'above';
  return new ServiceError(
    'crosses_open_order',
    `An order on Crossbook rests at ${price} and would match this one. Orders of Crossbook do not ` +
      `trade with each other at the exchange. Choose a price ${worse} ${price}. Nothing was created.`,
    { errors: [{ pointer: '/order/limitPrice', detail: `must be ${worse} ${price}` }] },
  );
}

/**
 * The price limit of an order that takes from the book, moved inside our own levels, in prices of
 * its side; not on the grid yet.
 */
export function insideOwnLevels(
  order: Pick<Priced, 'tradeAction' | 'side'>,
  limitPriceMicros: bigint,
  own: OwnLevels,
): bigint {
  const level = isBid(order) ? own.askMicros : own.bidMicros;
  if (level === undefined) return limitPriceMicros;
  const price = yesPriceOf(order.side, level);
  return order.tradeAction === 'buy'
    ? minMicros(limitPriceMicros, price - 1n)
    : maxMicros(limitPriceMicros, price + 1n);
}

/**
 * The part of a book that an order of ours may take: the levels better than our own. A level that
 * we share is left out whole, since our place in its queue is not known.
 */
export function withoutOwnLevels(book: OrderBook, own: OwnLevels): OrderBook {
  const { bidMicros, askMicros } = own;
  if (bidMicros === undefined && askMicros === undefined) return book;
  const better = (levels: BookLevel[], ownMicros: bigint | undefined) =>
    ownMicros === undefined ? levels : levels.filter((one) => one.priceMicros > ownMicros);
  return {
    ...book,
    yesBids: better(book.yesBids, bidMicros),
    noBids: better(book.noBids, askMicros === undefined ? undefined : MICROS - askMicros),
  };
}

/**
 * `wait`: an order that takes from the book may still reach the exchange at a price that this one
 * would meet.
 */
export type PriceClaim = 'claimed' | 'crosses' | 'wait';

/**
 * Claims the price of a resting order for as long as it may be at the exchange, or of its
 * amendment. A repeated claim is the same one.
 */
export async function claimPrice(
  { orm }: Database,
  order: Pick<TradeOrder, 'id' | 'ticker' | 'tradeAction' | 'side'>,
  priceMicros: bigint,
): Promise<PriceClaim> {
  const terms = {
    id: sql`${order.id}::uuid`,
    ticker: sql`${order.ticker}`,
    isBid: sql`${isBid(order)}::boolean`,
    yesPriceMicros: sql`${yesPriceOf(order.side, priceMicros)}::bigint`,
  };
  const isClaimed = await orm.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`price ${order.ticker}`}, 0))`,
    );
    const { rows } = await tx.execute(sql`
      update orders set price_claimed_at = coalesce(price_claimed_at, now())
      where id = ${order.id} and not ${isClaimedAgainst(terms)}
      returning id`);
    return rows.length === 1;
  });
  if (!isClaimed) return 'crosses';
  // After the commit: an attempt that did not see this claim was stored before it.
  return (await isMeetingAttempt(orm, terms)) ? 'wait' : 'claimed';
}

async function isMeetingAttempt(
  db: Queryable,
  order: Parameters<typeof isClaimedAgainst>[0],
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from (
      select case o.side when 'yes' then a.limit_price_micros
          else ${MICROS} - a.limit_price_micros end as yes_price,
        ((o.trade_action = 'buy') = (o.side = 'yes')) = (a.purpose <> 'unwind') as is_bid
      from orders o join exchange_attempts a on a.order_id = o.id
      where o.ticker = ${order.ticker} and o.id <> ${order.id}
        and (not o.is_complete or o.is_unwinding) and a.state in ('stored', 'unknown')
        and o.price_claimed_at is null
    ) x
    where x.is_bid <> ${order.isBid} and case when x.is_bid then x.yes_price >= ${order.yesPriceMicros}
      else x.yes_price <= ${order.yesPriceMicros} end
    limit 1`);
  return rows.length > 0;
}
