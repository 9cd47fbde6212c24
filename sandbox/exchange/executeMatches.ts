import { randomUUID } from 'node:crypto';
import { costMicros, MICROS, maxMicros } from '#lib/money.ts';
import { type BookSide, type Match, opposite } from './book.ts';
import { releaseCollateral, reserveCollateral } from './collateral.ts';
import { roundFee, tradeFeeMicros } from './fees.ts';
import { HOUR_MS, type Trade } from './history.ts';
import { type Account, applyTrade, positionOf } from './ledger.ts';
import type { ExchangeMarket } from './market.ts';
import type { Fill, Order } from './order.ts';
import { countForGroup } from './orderGroups.ts';
import {
  saveAccount,
  saveFill,
  saveMarket,
  saveOrder,
  savePosition,
  saveTrade,
} from './persistence.ts';
import { purseFor } from './shards.ts';
import { type Exchange, feesOf } from './state.ts';

export type OrderParty = { account: Account; order: Order };
type Party = OrderParty | { bot: string };

export function executeMatches(
  exchange: Exchange,
  market: ExchangeMarket,
  taker: Party,
  side: BookSide,
  matches: Match[],
): void {
  for (const match of matches) settleMatch(exchange, market, taker, side, match);
  if (matches.length > 0) exchange.signals.emit({ kind: 'ticker', market });
}

/** Books one match on both of its sides, on the market's figures and on the tape. */
function settleMatch(
  exchange: Exchange,
  market: ExchangeMarket,
  taker: Party,
  side: BookSide,
  match: Match,
): void {
  const at = exchange.clock.now();
  const trade: Trade = {
    tradeId: randomUUID(),
    ticker: market.ticker,
    contractMicros: match.contractMicros,
    priceMicros: match.priceMicros,
    takerSide: side,
    at,
    openInterestMicros: 0n,
  };
  const maker = makerOf(exchange, match);
  const takerGrowth = book(exchange, market, taker, side, trade, true);
  const makerGrowth = book(exchange, market, maker, opposite(side), trade, false);
  countTrade(market, trade, takerGrowth + makerGrowth);
  trade.openInterestMicros = market.state.openInterestMicros;
  const lasting = 'order' in taker || 'order' in maker;
  if (lasting) {
    saveTrade(exchange, trade);
    saveMarket(exchange, market);
  } else {
    exchange.unsavedTrades.push(trade);
    exchange.dirtyMarkets.add(market);
  }
  if (!exchange.signals.received) return;
  exchange.signals.emit({
    kind: 'book',
    market,
    side: opposite(side),
    priceMicros: match.priceMicros,
    deltaMicros: -match.contractMicros,
  });
  exchange.signals.emit({ kind: 'trade', market, trade });
}

function makerOf(exchange: Exchange, match: Match): Party {
  const order = exchange.resting.get(match.maker.orderId);
  const account = order && exchange.accounts.get(order.accountId);
  return order && account ? { order, account } : { bot: match.maker.accountId };
}

/** Books one side; returns the growth of the long positions. */
function book(
  exchange: Exchange,
  market: ExchangeMarket,
  party: Party,
  side: BookSide,
  trade: Trade,
  isTaker: boolean,
): bigint {
  if ('bot' in party) {
    const before = market.state.botNetMicros[party.bot] ?? 0n;
    const after = before + (side === 'bid' ? trade.contractMicros : -trade.contractMicros);
    market.state.botNetMicros[party.bot] = after;
    return maxMicros(after, 0n) - maxMicros(before, 0n);
  }
  return bookAccount(exchange, market, party, side, trade, isTaker);
}

function bookAccount(
  exchange: Exchange,
  market: ExchangeMarket,
  { account, order }: OrderParty,
  side: BookSide,
  trade: Trade,
  isTaker: boolean,
): bigint {
  const purse = purseFor(account, market);
  const applied = applyTrade(account, purse, market.ticker, { side, ...trade });
  const tradeFee = tradeFeeMicros(
    feesOf(exchange, market, trade.at),
    isTaker,
    trade.contractMicros,
    trade.priceMicros,
  );
  const rounded = roundFee(
    tradeFee,
    applied.cashMicros,
    order.accumulatorMicros,
    exchange.precisionMicros,
  );
  order.accumulatorMicros = rounded.accumulatorMicros;
  purse.balanceMicros -= rounded.netFeeMicros;
  positionOf(account, market.ticker).feesMicros += rounded.netFeeMicros;
  countFill(order, side, trade, rounded.netFeeMicros, isTaker);
  countForGroup(exchange, order, trade.contractMicros);
  if (!isTaker) followMaker(exchange, account, market, order, trade);
  reserveCollateral(exchange, account, market);
  const fill: Fill = {
    fillId: isTaker ? trade.tradeId : randomUUID(),
    accountId: account.id,
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    ticker: market.ticker,
    shard: order.shard,
    side,
    contractMicros: trade.contractMicros,
    priceMicros: trade.priceMicros,
    feeMicros: rounded.netFeeMicros,
    isTaker,
    netAfterMicros: applied.netAfterMicros,
    at: trade.at,
  };
  saveFill(exchange, fill);
  savePosition(exchange, account, market);
  saveAccount(exchange, account);
  exchange.signals.emit({ kind: 'fill', fill });
  return maxMicros(applied.netAfterMicros, 0n) - maxMicros(applied.netBeforeMicros, 0n);
}

function countFill(
  order: Order,
  side: BookSide,
  trade: Trade,
  fee: bigint,
  isTaker: boolean,
): void {
  const own = side === 'bid' ? trade.priceMicros : MICROS - trade.priceMicros;
  const cost = costMicros(trade.contractMicros, own, 'up');
  order.filledMicros += trade.contractMicros;
  order.updatedAt = trade.at;
  if (isTaker) {
    order.takerCostMicros += cost;
    order.takerFeesMicros += fee;
  } else {
    order.makerCostMicros += cost;
    order.makerFeesMicros += fee;
  }
}

/** A resting order traded. */
function followMaker(
  exchange: Exchange,
  account: Account,
  market: ExchangeMarket,
  order: Order,
  trade: Trade,
): void {
  order.remainingMicros -= trade.contractMicros;
  if (order.remainingMicros === 0n) {
    order.status = 'executed';
    exchange.resting.delete(order.orderId);
    releaseCollateral(account, market, order);
  }
  saveOrder(exchange, order);
  exchange.signals.emit({ kind: 'order', order, reason: 'Trade' });
}

function countTrade(market: ExchangeMarket, trade: Trade, growth: bigint): void {
  const { state } = market;
  const hour = Math.floor(trade.at / HOUR_MS);
  state.liveVolumeMicros += trade.contractMicros;
  state.liveDollarMicros += costMicros(trade.contractMicros, trade.priceMicros, 'nearest');
  state.hourly.set(hour, (state.hourly.get(hour) ?? 0n) + trade.contractMicros);
  for (const past of state.hourly.keys()) if (past < hour - 24) state.hourly.delete(past);
  state.lastPriceMicros = trade.priceMicros;
  state.openInterestMicros += growth;
}

export function publishBook(
  exchange: Exchange,
  market: ExchangeMarket,
  side: BookSide,
  priceMicros: bigint,
  deltaMicros: bigint,
  order?: Order,
): void {
  if (!exchange.signals.received) return;
  exchange.signals.emit({
    kind: 'book',
    market,
    side,
    priceMicros,
    deltaMicros,
    ...(order ? { order } : {}),
  });
}
