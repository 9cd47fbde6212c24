import { exactQuadraticFee, type QuadraticFee, quadraticFeeMicros } from '#lib/market/takerFee.ts';
import type { FeeRule, TradeAction } from '#server/exchange/port.ts';

type KnownFeeRule = Exclude<FeeRule, { kind: 'unknown' }>;

const WAIVED: QuadraticFee = { takerRateMicros: 0n, multiplierMicros: 1_000_000n };

/** The factors of a rule; a waived fee has the rate 0. */
export function feeFactors(rule: KnownFeeRule): QuadraticFee {
  return rule.kind === 'waived' ? WAIVED : rule;
}

/**
 * The fee of taking `contractMicros` at `priceMicros`, rounded as the exchange rounds it. Undefined
 * for an unknown rule, so that no quote rests on a guess.
 */
export function takerFeeMicros(
  rule: FeeRule,
  action: TradeAction,
  contractMicros: bigint,
  priceMicros: bigint,
): bigint | undefined {
  if (rule.kind === 'unknown') return undefined;
  return quadraticFeeMicros(feeFactors(rule), action, contractMicros, priceMicros);
}

/** The fee before rounding, in USDC micros as a fraction. */
export function exactTakerFee(
  rule: KnownFeeRule,
  contractMicros: bigint,
  priceMicros: bigint,
): { numerator: bigint; denominator: bigint } {
  return exactQuadraticFee(feeFactors(rule), contractMicros, priceMicros);
}
