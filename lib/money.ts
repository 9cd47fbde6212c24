/**
 * Money and quantities as integers of their smallest unit.
 *
 * USDC, outcome tokens and prices all carry six decimals and share one scale; the variable's name
 * gives the unit: `usdcMicros`, `contractMicros`, `priceMicros`. Nothing here passes through a
 * JavaScript number except the `cents` helpers, whose result is for display, never for computation.
 */

/** Base units in one whole USDC, contract or dollar. */
export const MICROS = 1_000_000n;

/** The finest quantity the exchange trades: 0.01 contract. */
export const CONTRACT_STEP_MICROS = 10_000n;

/** One cent in micros. */
export const CENT_MICROS = 10_000n;

/** Largest amount that fits the database's and the contracts' integers alike (PostgreSQL int8). */
export const MAX_MICROS = 9_223_372_036_854_775_807n;

export type MicrosProblem = 'not_a_decimal' | 'too_many_decimals' | 'too_large';

export class MicrosError extends Error {
  override readonly name = 'MicrosError';
  readonly problem: MicrosProblem;

  constructor(problem: MicrosProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const DECIMAL = /^(0|[1-9]\d{0,30})(?:\.(\d{1,30}))?$/;

/**
 * Parses a plain non-negative decimal string ("12", "0.5", "3.141592") into micros. Rejects signs,
 * exponents, blanks, thousands separators and more digits than the unit has; trailing zeros beyond
 * six decimals are accepted.
 *
 * @throws {MicrosError}
 */
export function parseMicros(text: string): bigint {
  const match = DECIMAL.exec(text);
  if (!match) {
    throw new MicrosError('not_a_decimal', 'must be a plain decimal number such as "12.5"');
  }
  const [, whole = '0', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > 6) {
    throw new MicrosError('too_many_decimals', 'must have at most 6 decimals');
  }
  const micros = BigInt(whole) * MICROS + BigInt(significant.padEnd(6, '0') || '0');
  if (micros > MAX_MICROS) {
    throw new MicrosError('too_large', 'is larger than any amount this service can hold');
  }
  return micros;
}

/** Like {@link parseMicros}, but returns `undefined` instead of throwing. */
export function tryParseMicros(text: string): bigint | undefined {
  try {
    return parseMicros(text);
  } catch (error) {
    if (error instanceof MicrosError) return undefined;
    throw error;
  }
}

/** The shortest exact decimal string: `1500000n` is "1.5", `-250000n` is "-0.25". */
export function formatMicros(micros: bigint): string {
  return formatMicrosFixed(micros, 0);
}

/** The exact decimal string with at least `minDecimals` decimals (0 to 6), never rounded. */
export function formatMicrosFixed(micros: bigint, minDecimals: number): string {
  const sign = micros < 0n ? '-' : '';
  const magnitude = micros < 0n ? -micros : micros;
  const fraction = (magnitude % MICROS).toString().padStart(6, '0').replace(/0+$/, '');
  const shown = fraction.padEnd(minDecimals, '0');
  const whole = (magnitude / MICROS).toString();
  return shown === '' ? `${sign}${whole}` : `${sign}${whole}.${shown}`;
}

export type Rounding = 'down' | 'up' | 'nearest';

/**
 * `numerator / denominator` as an integer. "down" is toward negative infinity, "up" toward positive
 * infinity, "nearest" rounds halves up.
 */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator <= 0n) throw new RangeError('divide() takes a positive denominator');
  if (rounding === 'nearest') return divide(2n * numerator + denominator, 2n * denominator, 'down');
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  if (rounding === 'down') return numerator < 0n ? quotient - 1n : quotient;
  return numerator > 0n ? quotient + 1n : quotient;
}

/** The cost of `contractMicros` contracts at `priceMicros` dollars each, in USDC micros. */
export function costMicros(
  contractMicros: bigint,
  priceMicros: bigint,
  rounding: Rounding,
): bigint {
  return divide(contractMicros * priceMicros, MICROS, rounding);
}

/** The smallest multiple of `step` at or above `value`; "down" gives the largest at or below. */
export function snap(value: bigint, step: bigint, rounding: 'down' | 'up'): bigint {
  return divide(value, step, rounding) * step;
}

/** Whole cents as a number for the interface's `number (cents)` fields. Not for computation. */
export function centsNumber(micros: bigint, rounding: Rounding): number {
  return Number(divide(micros, CENT_MICROS, rounding));
}

/** A count of contracts as a number for the interface's count fields. Not for computation. */
export function contractsNumber(contractMicros: bigint): number {
  return Number(formatMicros(contractMicros));
}

export function minMicros(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function maxMicros(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
