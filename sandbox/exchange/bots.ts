import { CONTRACT_STEP_MICROS, MICROS, maxMicros, minMicros } from '#lib/money.ts';
import { type Book, type BookSide, opposite, type RestingOrder } from './book.ts';
import { executeMatches, publishBook } from './executeMatches.ts';
import { typicalSize } from './history.ts';
import { beliefIn, bookOf, type ExchangeMarket, gridOf, statusOf } from './market.ts';
import { hash32, unit } from './random.ts';
import type { Exchange } from './state.ts';
import { gridIndexBelow } from './ticks.ts';

/** The simulated traders: makers who quote both sides around the simulated belief, and takers. */
const MAKER = 'maker';
const NOISE = 'noise';

export type Rung = { priceMicros: bigint; contractMicros: bigint };
export type Ladder = { bids: Rung[]; asks: Rung[] };

/**
 * The makers' target quotes: best first, both sides, around a belief.
 * @param most rungs per side, for callers that need only the best
 */
export function ladderOf(
  market: ExchangeMarket,
  belief: number,
  most = Number.POSITIVE_INFINITY,
): Ladder {
  const grid = gridOf(market);
  const { weight } = market;
  const half = 0.004 + 0.011 * (1 - weight);
  const count = Math.min(5 + Math.round(9 * weight), most);
  const stride = strideOf(grid, belief, weight);
  const bidFrom = gridIndexBelow(grid, toMicros(belief - half));
  const requestFrom = gridIndexBelow(grid, toMicros(belief + half)) + 1;
  const rungs = (from: number, step: number): Rung[] => {
    const made: Rung[] = [];
    for (let rung = 0; rung < count; rung += 1) {
      const priceMicros = grid[from + rung * step];
      if (priceMicros === undefined) break;
      made.push({ priceMicros, contractMicros: rungSize(market, priceMicros, rung) });
    }
    return made;
  };
  return { bids: rungs(bidFrom, -stride), asks: rungs(requestFrom, stride) };
}

/** The makers' current target quotes; none while they are disabled. */
export function targetQuotes(market: ExchangeMarket, belief: number, most?: number): Ladder {
  return market.state.withoutMakers ? { bids: [], asks: [] } : ladderOf(market, belief, most);
}

/** Fine grids are quoted on every few steps, so that depth reaches several cents. */
function strideOf(grid: readonly bigint[], belief: number, weight: number): number {
  const near = Math.min(Math.max(gridIndexBelow(grid, toMicros(belief)), 1), grid.length - 1);
  const step = Number((grid[near] ?? 0n) - (grid[near - 1] ?? 0n));
  return Math.max(1, Math.round((weight > 0.6 ? 6_000 : 10_000) / step));
}

function rungSize(market: ExchangeMarket, priceMicros: bigint, rung: number): bigint {
  const variety = 0.55 + 0.9 * unit(market.ticker, priceMicros.toString());
  const contracts = (30 + typicalSize(market) * 3) * (1 + 0.55 * rung) * variety;
  const fraction = unit(market.ticker, priceMicros.toString(), 'f') < 0.3 ? 37n : 0n;
  return BigInt(Math.round(contracts)) * 1_000_000n + fraction * 10_000n;
}

/** Creates the book on first use, so that thousands of markets cost nothing at start. */
export function ensureBook(exchange: Exchange, market: ExchangeMarket): Book {
  const book = bookOf(market);
  if (market.quotedFair === undefined) requote(exchange, market);
  return book;
}

/** Adjusts the makers' orders to the current belief. */
export function requote(exchange: Exchange, market: ExchangeMarket): void {
  const now = exchange.clock.now();
  if (statusOf(market, now) !== 'active') return;
  const belief = beliefIn(market, now);
  const settled = market.quotedFair ?? -1;
  const center = Math.abs(belief - settled) < 0.006 ? settled : belief;
  market.quotedFair = center;
  const ladder = targetQuotes(market, center);
  withdrawStale(exchange, market, ladder);
  for (const rung of ladder.bids) offer(exchange, market, 'bid', rung);
  for (const rung of ladder.asks) offer(exchange, market, 'ask', rung);
}

function withdrawStale(exchange: Exchange, market: ExchangeMarket, ladder: Ladder): void {
  const book = bookOf(market);
  const wanted = {
    bid: new Map(ladder.bids.map((rung) => [rung.priceMicros, rung.contractMicros])),
    ask: new Map(ladder.asks.map((rung) => [rung.priceMicros, rung.contractMicros])),
  };
  for (const order of book.orders()) {
    if (order.accountId !== MAKER) continue;
    const size = wanted[order.side].get(order.priceMicros);
    if (size !== undefined && order.remainingMicros * 5n >= size * 2n) continue;
    book.remove(order.orderId);
    publishBook(exchange, market, order.side, order.priceMicros, -order.remainingMicros);
  }
}

function offer(exchange: Exchange, market: ExchangeMarket, side: BookSide, rung: Rung): void {
  const book = bookOf(market);
  const orderId = `${MAKER}:${market.ticker}:${side}:${rung.priceMicros}`;
  if (book.get(orderId)) return;
  const result = book.match({
    accountId: MAKER,
    side,
    limitMicros: rung.priceMicros,
    contractMicros: rung.contractMicros,
    selfTrade: 'maker',
  });
  executeMatches(exchange, market, { bot: MAKER }, side, result.matches);
  if (result.remainingMicros === 0n) return;
  const order: RestingOrder = {
    orderId,
    accountId: MAKER,
    side,
    priceMicros: rung.priceMicros,
    remainingMicros: result.remainingMicros,
  };
  book.add(order);
  publishBook(exchange, market, side, rung.priceMicros, result.remainingMicros);
}

/** One step of a market: the makers adjust, a taker may trade. */
export function advanceMarket(exchange: Exchange, market: ExchangeMarket): void {
  const now = exchange.clock.now();
  const chance = hash32(exchange.seed, market.ticker, market.nextBotAt);
  market.nextBotAt = now + intervalMs(market) * (0.6 + 0.8 * unit(chance, 'next'));
  if (statusOf(market, now) !== 'active') return;
  ensureBook(exchange, market);
  requote(exchange, market);
  const best = bestOfAccounts(exchange, market);
  if (best) hurryTakers(exchange, market);
  const trades = !market.state.withoutTakers && unit(chance, 'trades') < 0.3 + 0.4 * market.weight;
  if (!trades) exchange.signals.emit({ kind: 'ticker', market });
  else if (best && unit(chance, 'best') < 0.7) takePart(exchange, market, best, chance);
  else takeSomething(exchange, market, chance);
}

/** A resting order of an account that is next to trade on its side. */
function bestOfAccounts(exchange: Exchange, market: ExchangeMarket): RestingOrder | undefined {
  const book = bookOf(market);
  const next = [book.bids[0]?.orders[0], book.asks[0]?.orders[0]];
  return next.find((order) => order && exchange.resting.has(order.orderId));
}

/** An order of an account inside the spread fills in parts, within seconds to minutes. */
export function wakeTakers(
  exchange: Exchange,
  market: ExchangeMarket,
  { orderId }: Pick<RestingOrder, 'orderId'>,
): void {
  if (bestOfAccounts(exchange, market)?.orderId === orderId) hurryTakers(exchange, market);
}

const HURRY_MS = 4_000;

function hurryTakers(exchange: Exchange, market: ExchangeMarket): void {
  const now = exchange.clock.now();
  const chance = unit(exchange.seed, market.ticker, now);
  market.nextBotAt = Math.min(market.nextBotAt, now + HURRY_MS * (0.5 + chance));
}

/** Takes a fifth to three fifths of an order, and at least one contract. */
function takePart(
  exchange: Exchange,
  market: ExchangeMarket,
  order: RestingOrder,
  chance: number,
): void {
  const share = BigInt(20 + Math.floor(40 * unit(chance, 'part')));
  const part = (order.remainingMicros * share) / (100n * CONTRACT_STEP_MICROS);
  const contractMicros = minMicros(
    maxMicros(part * CONTRACT_STEP_MICROS, MICROS),
    order.remainingMicros,
  );
  takeOrder(exchange, market, order, contractMicros);
}

/** A simulated taker trades with one resting order, whatever else is on the book. */
export function takeOrder(
  exchange: Exchange,
  market: ExchangeMarket,
  { orderId, side }: Pick<RestingOrder, 'orderId' | 'side'>,
  contractMicros: bigint,
): void {
  const match = bookOf(market).take(orderId, contractMicros);
  if (match) executeMatches(exchange, market, { bot: NOISE }, opposite(side), [match]);
}

/** Busy and short-lived markets move every few seconds, quiet ones every few minutes. */
export function intervalMs(market: ExchangeMarket): number {
  const { openAt, closeAt } = market.event.life;
  if (closeAt - openAt < 2 * 3_600_000) return 7_000;
  if (market.weight > 0.7) return 10_000;
  if (market.weight > 0.5) return 40_000;
  if (market.weight > 0.3) return 120_000;
  return 400_000;
}

function takeSomething(exchange: Exchange, market: ExchangeMarket, chance: number): void {
  const book = bookOf(market);
  const side: BookSide = unit(chance, 'side') < 0.5 ? 'bid' : 'ask';
  const level = book.levels(side === 'bid' ? 'ask' : 'bid')[0];
  if (!level) return;
  const share = 0.1 + 1.2 * unit(chance, 'size') ** 3;
  const contracts = Math.max(1, Math.round(typicalSize(market) * share));
  const result = book.match({
    accountId: NOISE,
    side,
    limitMicros: level.priceMicros,
    contractMicros: minMicros(BigInt(contracts) * 1_000_000n, level.totalMicros),
    selfTrade: 'maker',
  });
  executeMatches(exchange, market, { bot: NOISE }, side, result.matches);
}

function toMicros(price: number): bigint {
  return BigInt(Math.round(price * 1_000_000));
}
