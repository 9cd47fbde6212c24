import {
  CONTRACT_STEP_MICROS,
  costMicros,
  MICROS,
  maxMicros,
  minMicros,
  snap,
} from '#lib/money.ts';
import { exactQuadraticFee, type QuadraticFee, quadraticFeeMicros } from './takerFee.ts';

/** A limit order as far as its amounts depend on it. */
export type LimitOffer = { action: 'buy' | 'sell'; priceMicros: bigint; fee: QuadraticFee };

const HALF_MICROS = MICROS / 2n;

/**
 * The highest fee of the order, before the exchange rounds the one of each fill: all of it matched
 * on arrival, at the price within the limit whose fee is highest. Fees are highest at half a dollar.
 */
export function highestFeeMicros(
  { fee, action, priceMicros: limit }: LimitOffer,
  contractMicros: bigint,
): bigint {
  const atMicros = action === 'buy' ? minMicros(limit, HALF_MICROS) : maxMicros(limit, HALF_MICROS);
  return quadraticFeeMicros(fee, action, contractMicros, atMicros);
}

/**
 * A buy: the most it can cost, which the vault locks. A sale: the least it brings. Every better
 * price keeps to it (see server/domain/markets/quotes/limitPrice.ts).
 */
export function limitLockMicros(offer: LimitOffer, contractMicros: bigint): bigint {
  const { fee, action, priceMicros } = offer;
  const feeMicros = quadraticFeeMicros(fee, action, contractMicros, priceMicros);
  return action === 'buy'
    ? costMicros(contractMicros, priceMicros, 'up') + feeMicros
    : maxMicros(costMicros(contractMicros, priceMicros, 'down') - feeMicros, 0n);
}

/** The most contracts, in steps, that an amount locks for a buy; 0 if it is too small for one. */
export function affordableMicros(offer: LimitOffer, amountMicros: bigint): bigint {
  const { numerator, denominator } = exactQuadraticFee(offer.fee, 1n, offer.priceMicros);
  const perMicro = offer.priceMicros * (denominator / MICROS) + numerator;
  let contractMicros = snap((amountMicros * denominator) / perMicro, CONTRACT_STEP_MICROS, 'down');
  // The exact fee is below the charged one by its rounding: a step or two.
  while (contractMicros > 0n && limitLockMicros(offer, contractMicros) > amountMicros) {
    contractMicros -= CONTRACT_STEP_MICROS;
  }
  return contractMicros;
}
