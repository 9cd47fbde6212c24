import { costMicros, divide, MICROS } from '#lib/money.ts';

/** The exchange's formula: `multiplier · rate · contracts · price · (1 − price)`. */
export type QuadraticFee = { takerRateMicros: bigint; multiplierMicros: bigint };

/**
 * The exchange rounds the fee of a trade up to this (1e-4 dollar) or finer, and balances change in
 * steps of it; quotes assume the coarser.
 */
const FEE_STEP_MICROS = 100n;

/**
 * The fee of taking `contractMicros` at `priceMicros`, rounded up, plus what brings the whole amount
 * to a step: what a buy pays is rounded up, what a sale brings is rounded down, even when the fee
 * itself is waived.
 */
export function quadraticFeeMicros(
  fee: QuadraticFee,
  action: 'buy' | 'sell',
  contractMicros: bigint,
  priceMicros: bigint,
): bigint {
  const { numerator, denominator } = exactQuadraticFee(fee, contractMicros, priceMicros);
  const feeMicros = divide(numerator, denominator * FEE_STEP_MICROS, 'up') * FEE_STEP_MICROS;
  const worth = costMicros(contractMicros, priceMicros, action === 'buy' ? 'up' : 'down');
  const beyondStep = worth % FEE_STEP_MICROS;
  if (beyondStep === 0n) return feeMicros;
  return feeMicros + (action === 'buy' ? FEE_STEP_MICROS - beyondStep : beyondStep);
}

/** The fee before rounding, in USDC micros as a fraction. */
export function exactQuadraticFee(
  { takerRateMicros, multiplierMicros }: QuadraticFee,
  contractMicros: bigint,
  priceMicros: bigint,
): { numerator: bigint; denominator: bigint } {
  const perContract = multiplierMicros * takerRateMicros;
  const numerator = perContract * contractMicros * priceMicros * (MICROS - priceMicros);
  return { numerator, denominator: MICROS ** 4n };
}
