import { divide, MICROS } from '#lib/money.ts';
import type { FeeRule } from '#server/exchange/port.ts';

/**
 * The exchange rounds the fee of a trade up to this (1e-4 dollar) or finer; quotes assume the
 * coarser.
 */
const FEE_STEP_MICROS = 100n;

/**
 * The fee of taking `contractMicros` at `priceMicros`, rounded up: `M · rate · C · P · (1 − P)`.
 * Undefined for an unknown rule, so that no quote rests on a guess.
 */
export function takerFeeMicros(
  rule: FeeRule,
  contractMicros: bigint,
  priceMicros: bigint,
): bigint | undefined {
  if (rule.kind === 'unknown') return undefined;
  if (rule.kind === 'waived') return 0n;
  const { numerator, denominator } = exactTakerFee(rule, contractMicros, priceMicros);
  return divide(numerator, denominator * FEE_STEP_MICROS, 'up') * FEE_STEP_MICROS;
}

/** The fee before rounding, in USDC micros as a fraction. */
export function exactTakerFee(
  rule: Exclude<FeeRule, { kind: 'unknown' }>,
  contractMicros: bigint,
  priceMicros: bigint,
): { numerator: bigint; denominator: bigint } {
  const denominator = MICROS ** 4n;
  if (rule.kind === 'waived') return { numerator: 0n, denominator };
  const perContract = rule.multiplierMicros * rule.takerRateMicros;
  const numerator = perContract * contractMicros * priceMicros * (MICROS - priceMicros);
  return { numerator, denominator };
}
