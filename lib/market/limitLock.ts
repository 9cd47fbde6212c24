import { CONTRACT_STEP_MICROS, costMicros, MICROS, maxMicros, snap } from '#lib/money.ts';
import { exactQuadraticFee, type QuadraticFee, quadraticFeeMicros } from './takerFee.ts';

/** A limit order as far as its amounts depend on it. */
export type LimitOffer = { action: 'buy' | 'sell'; priceMicros: bigint; fee: QuadraticFee };

/** The highest fee of the order: as if all of it matched at its limit price on arrival. */
export function limitFeeMicros({ fee, action, priceMicros }: LimitOffer, contractMicros: bigint) {
  return quadraticFeeMicros(fee, action, contractMicros, priceMicros);
}

/**
 * A buy: the most it can cost, which the vault locks. A sale: the least it brings. Every better
 * price keeps to it (see server/domain/markets/quotes/limitPrice.ts).
 */
export function limitLockMicros(offer: LimitOffer, contractMicros: bigint): bigint {
  const feeMicros = limitFeeMicros(offer, contractMicros);
  return offer.action === 'buy'
    ? costMicros(contractMicros, offer.priceMicros, 'up') + feeMicros
    : maxMicros(costMicros(contractMicros, offer.priceMicros, 'down') - feeMicros, 0n);
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
