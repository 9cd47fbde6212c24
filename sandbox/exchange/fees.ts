import { divide, maxMicros } from '#lib/money.ts';

/**
 * Trading fees as the exchange charges them: a quadratic fee per fill, rounded up to a micro
 * dollar, then a rounding fee that brings the account's balance to its precision, of which an
 * accumulator per order gives whole units back.
 */
export type FeeSchedule = { feeType: string; multiplierMicros: bigint };

const TAKER_RATE_MICROS: Record<string, bigint> = {
  quadratic: 70_000n,
  quadratic_with_maker_fees: 70_000n,
  quadratic_with_combo_maker_fees: 70_000n,
  flat: 35_000n,
};

const MAKER_RATE_MICROS: Record<string, bigint> = {
  quadratic_with_maker_fees: 17_500n,
  quadratic_with_combo_maker_fees: 35_000n,
};

/** The fee of one fill before the rounding fee, rounded up to a micro dollar. */
export function tradeFeeMicros(
  schedule: FeeSchedule,
  isTaker: boolean,
  contractMicros: bigint,
  priceMicros: bigint,
): bigint {
  const rates = isTaker ? TAKER_RATE_MICROS : MAKER_RATE_MICROS;
  const rate = rates[schedule.feeType] ?? 0n;
  const exact =
    rate * schedule.multiplierMicros * contractMicros * priceMicros * (1_000_000n - priceMicros);
  return divide(exact, 10n ** 24n, 'up');
}

export type RoundedFee = {
  netFeeMicros: bigint;
  /** Accumulated rounding fees; less than one unit of precision. */
  accumulatorMicros: bigint;
};

/**
 * The fee charged on a fill. `cashMicros` is the cash of the fill itself: negative when paid,
 * positive when received.
 */
export function roundFee(
  tradeFee: bigint,
  cashMicros: bigint,
  accumulatorMicros: bigint,
  precisionMicros: bigint,
): RoundedFee {
  const change = cashMicros - tradeFee;
  const rounded = divide(change, precisionMicros, 'down') * precisionMicros;
  const kept = accumulatorMicros + (change - rounded);
  const rebate = divide(kept, precisionMicros, 'down') * precisionMicros;
  const netFeeMicros = maxMicros(tradeFee + (change - rounded) - rebate, 0n);
  return { netFeeMicros, accumulatorMicros: kept - rebate };
}
