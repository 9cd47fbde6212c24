import type { FeeExample } from '#components/guide/feeExample.ts';
import { costMicros, formatMicros, MICROS } from '#lib/money.ts';
import { takerFeeMicros } from '#server/domain/markets/quotes/feeCharge.ts';
import { STANDARD_FEE } from '#server/exchange/kalshi/fees.ts';
import type { FeeRule } from '#server/exchange/port.ts';

const CONTRACTS = 100n * MICROS;
const CENT = MICROS / 100n;

/** A purchase of a hundred contracts under the exchange's usual rule. */
export function feeExample(priceCents: bigint, rule: FeeRule = STANDARD_FEE): FeeExample {
  const priceMicros = priceCents * CENT;
  const contractsCostMicros = costMicros(CONTRACTS, priceMicros, 'up');
  const feeMicros = takerFeeMicros(rule, 'buy', CONTRACTS, priceMicros);
  if (feeMicros === undefined) throw new Error('the usual fee rule is unknown');
  return {
    contractMicros: CONTRACTS,
    priceMicros,
    contractsCostMicros,
    feeMicros,
    totalMicros: contractsCostMicros + feeMicros,
    payoutMicros: CONTRACTS,
  };
}

/** The fee at each whole cent. */
export function feeCurve(): FeeExample[] {
  return Array.from({ length: 99 }, (_, index) => feeExample(BigInt(index + 1)));
}

/** The rate of the exchange's usual rule: "0.07". */
export const STANDARD_RATE = formatMicros(
  (STANDARD_FEE.takerRateMicros * STANDARD_FEE.multiplierMicros) / MICROS,
);
