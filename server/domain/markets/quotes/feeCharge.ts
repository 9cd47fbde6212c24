import { costMicros, divide, MICROS } from '#lib/money.ts';
import type { FeeRule, TradeAction } from '#server/exchange/port.ts';

/**
 * The exchange rounds the fee of a trade up to this (1e-4 dollar) or finer, and balances change in
 * steps of it; quotes assume the coarser.
 */
const FEE_STEP_MICROS = 100n;

/**
 * The fee of taking `contractMicros` at `priceMicros`: `M · rate · C · P · (1 − P)` rounded up, plus
 * what brings the whole amount to a step: what a buy pays is rounded up, what a sale brings is
 * rounded down, even when the fee itself is waived. Undefined for an unknown rule, so that no quote
 * rests on a guess.
 */
export function takerFeeMicros(
  rule: FeeRule,
  action: TradeAction,
  contractMicros: bigint,
  priceMicros: bigint,
): bigint | undefined {
  if (rule.kind === 'unknown') return undefined;
  const { numerator, denominator } = exactTakerFee(rule, contractMicros, priceMicros);
  const fee = divide(numerator, denominator * FEE_STEP_MICROS, 'up') * FEE_STEP_MICROS;
  const worth = costMicros(contractMicros, priceMicros, action === 'buy' ? 'up' : 'down');
  const beyondStep = worth % FEE_STEP_MICROS;
  if (beyondStep === 0n) return fee;
  return fee + (action === 'buy' ? FEE_STEP_MICROS - beyondStep : beyondStep);
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
