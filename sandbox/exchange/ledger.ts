import { costMicros, MICROS, maxMicros, minMicros } from '#lib/money.ts';
import type { BookSide } from './book.ts';

/**
 * Accounts with netted positions. YES is positive, NO is negative; holding both is impossible:
 * a pair nets to one dollar of cash.
 */
export type Position = {
  netMicros: bigint;
  /** The cost of the open position. */
  exposureMicros: bigint;
  realizedMicros: bigint;
  feesMicros: bigint;
  tradedMicros: bigint;
  updatedAt: number;
};

/** Cash of an account on one shard. */
export type Purse = {
  balanceMicros: bigint;
  /** Cash reserved for resting orders. */
  lockedMicros: bigint;
};

export type Account = {
  id: string;
  /** By shard. */
  purses: Map<number, Purse>;
  positions: Map<string, Position>;
};

export type Applied = {
  /** The change of the balance by the fill, before the fee. */
  cashMicros: bigint;
  netBeforeMicros: bigint;
  netAfterMicros: bigint;
};

/** Splits a trade into the part that reduces the position and the part that adds to one. */
export function splitTrade(netMicros: bigint, side: BookSide, contractMicros: bigint) {
  const held = side === 'bid' ? maxMicros(-netMicros, 0n) : maxMicros(netMicros, 0n);
  const closingMicros = minMicros(held, contractMicros);
  return { closingMicros, openingMicros: contractMicros - closingMicros };
}

/**
 * The cash of a trade in YES terms at `priceMicros`. Opening YES costs the price, opening NO
 * costs the complement; closing returns what the held side is worth at that price.
 */
export function tradeCash(
  netMicros: bigint,
  side: BookSide,
  contractMicros: bigint,
  priceMicros: bigint,
): bigint {
  const { closingMicros, openingMicros } = splitTrade(netMicros, side, contractMicros);
  const own = side === 'bid' ? priceMicros : MICROS - priceMicros;
  return costMicros(closingMicros, MICROS - own, 'down') - costMicros(openingMicros, own, 'up');
}

export function positionOf(account: Account, ticker: string): Position {
  const known = account.positions.get(ticker);
  if (known) return known;
  const fresh: Position = {
    netMicros: 0n,
    exposureMicros: 0n,
    realizedMicros: 0n,
    feesMicros: 0n,
    tradedMicros: 0n,
    updatedAt: 0,
  };
  account.positions.set(ticker, fresh);
  return fresh;
}

/**
 * Books a fill on an account: position, exposure, realised result, and the balance of the purse
 * that the market draws on; not the fee.
 */
export function applyTrade(
  account: Account,
  purse: Purse,
  ticker: string,
  trade: { side: BookSide; contractMicros: bigint; priceMicros: bigint; at: number },
): Applied {
  const position = positionOf(account, ticker);
  const { side, contractMicros, priceMicros } = trade;
  const before = position.netMicros;
  const { closingMicros, openingMicros } = splitTrade(before, side, contractMicros);
  const cashMicros = tradeCash(before, side, contractMicros, priceMicros);
  const own = side === 'bid' ? priceMicros : MICROS - priceMicros;
  if (closingMicros > 0n) {
    const held = before < 0n ? -before : before;
    const costOfClosed = (position.exposureMicros * closingMicros) / held;
    position.realizedMicros += costMicros(closingMicros, MICROS - own, 'down') - costOfClosed;
    position.exposureMicros -= costOfClosed;
  }
  position.exposureMicros += costMicros(openingMicros, own, 'up');
  position.tradedMicros += costMicros(contractMicros, own, 'up');
  position.netMicros += side === 'bid' ? contractMicros : -contractMicros;
  position.updatedAt = trade.at;
  purse.balanceMicros += cashMicros;
  return { cashMicros, netBeforeMicros: before, netAfterMicros: position.netMicros };
}

/** The payout of a net position. */
export function settlementCash(netMicros: bigint, payoutYesMicros: bigint): bigint {
  if (netMicros >= 0n) return costMicros(netMicros, payoutYesMicros, 'down');
  return costMicros(-netMicros, MICROS - payoutYesMicros, 'down');
}
