import {
  CENT_MICROS,
  CONTRACT_STEP_MICROS,
  divide,
  formatMicros,
  formatMicrosFixed,
  MICROS,
  snap,
} from '#lib/money.ts';
import { readerLocale } from './locale.ts';

/**
 * Amounts for display. Input is exact micros; output is rounded only where the doc says so, and
 * always grouped. The minus sign is U+2212, so that columns align.
 */

const MINUS = '\u2212';

function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, readerLocale().group);
}

function withGroups(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.');
  if (fraction === undefined) return grouped(whole);
  return `${grouped(whole)}${readerLocale().decimal}${fraction}`;
}

function magnitudeOf(micros: bigint): bigint {
  return micros < 0n ? -micros : micros;
}

/** "$1,234.50": two decimals, rounded to the nearest cent; less than a cent is "<1¢". */
export function dollars(usdcMicros: bigint): string {
  const magnitude = magnitudeOf(usdcMicros);
  const sign = usdcMicros < 0n ? MINUS : '';
  if (magnitude !== 0n && magnitude < CENT_MICROS) return `${sign}<1¢`;
  const cents = divide(magnitude, CENT_MICROS, 'nearest') * CENT_MICROS;
  return `${sign}$${withGroups(formatMicrosFixed(cents, 2))}`;
}

/** "$9.99": what there is to spend or to receive, never shown as more; less than a cent is "<1¢". */
export function dollarsDown(usdcMicros: bigint): string {
  return usdcMicros < CENT_MICROS
    ? dollars(usdcMicros)
    : dollars(snap(usdcMicros, CENT_MICROS, 'down'));
}

/** "$4.4275": all digits, at least two decimals. For what is signed, and on demand. */
export function dollarsExact(usdcMicros: bigint): string {
  const sign = usdcMicros < 0n ? MINUS : '';
  return `${sign}$${withGroups(formatMicrosFixed(magnitudeOf(usdcMicros), 2))}`;
}

/** "+$1.20" or "−$0.40": always with a sign. */
export function dollarsSigned(usdcMicros: bigint): string {
  return usdcMicros > 0n ? `+${dollars(usdcMicros)}` : dollars(usdcMicros);
}

/** "$12.3k": for volumes, where only the magnitude matters. */
export function dollarsShort(usdcMicros: bigint): string {
  return `$${short(divide(usdcMicros, MICROS, 'nearest'))}`;
}

/** "12.3k" contracts. */
export function contractsShort(contractMicros: bigint): string {
  return short(divide(contractMicros, MICROS, 'nearest'));
}

function short(whole: bigint): string {
  if (whole < 1_000n) return whole.toString();
  const [unit, suffix] =
    whole < 1_000_000n
      ? [1_000n, 'k']
      : whole < 1_000_000_000n
        ? [1_000_000n, 'm']
        : [1_000_000_000n, 'bn'];
  const tenths = divide(whole * 10n, unit, 'down');
  return tenths >= 1_000n || tenths % 10n === 0n
    ? `${grouped((tenths / 10n).toString())}${suffix}`
    : `${tenths / 10n}${readerLocale().decimal}${tenths % 10n}${suffix}`;
}

/** "43¢" or "43.5¢": a price per contract with all its digits. */
export function cents(priceMicros: bigint): string {
  return `${withGroups(formatMicros(priceMicros * 100n))}¢`;
}

/** "44.3¢": an average price, to the tenth of a cent. */
export function centsRounded(priceMicros: bigint): string {
  return `${withGroups(formatMicros(divide(priceMicros, 1_000n, 'nearest') * 100_000n))}¢`;
}

/** "1,250.5": contracts with all their digits. The exchange trades hundredths. */
export function contracts(contractMicros: bigint): string {
  return withGroups(formatMicros(contractMicros));
}

/** "0.33": contracts to the hundredth; fewer are "<0.01". Transfers can move millionths. */
export function contractsRounded(contractMicros: bigint): string {
  if (contractMicros > 0n && contractMicros < CONTRACT_STEP_MICROS) {
    return `<${contracts(CONTRACT_STEP_MICROS)}`;
  }
  return contracts(snap(contractMicros, CONTRACT_STEP_MICROS, 'down'));
}

/**
 * Contracts in a column: rounded to whole numbers where fractions are negligible, so that the
 * digits align.
 */
export function contractsWhole(contractMicros: bigint): string {
  const part = contractMicros < 100n * MICROS ? 0n : contractMicros % MICROS;
  return contracts(contractMicros - part);
}

/** "43%": a price as a chance in whole percent; the ends are "<1%" and ">99%". */
export function chance(priceMicros: bigint): string {
  if (priceMicros > 0n && priceMicros < CENT_MICROS) return '<1%';
  if (priceMicros < MICROS && priceMicros > MICROS - CENT_MICROS) return '>99%';
  return `${divide(priceMicros, CENT_MICROS, 'nearest')}%`;
}

/**
 * What the price of Yes says: a chance, "43%", or of a scalar market the expected payout of a
 * contract, "43¢".
 */
export function estimate({ isScalar }: { isScalar: boolean }, priceMicros: bigint): string {
  return isScalar ? `${divide(priceMicros, CENT_MICROS, 'nearest')}¢` : chance(priceMicros);
}

/** A ratio of two amounts as "+12.4%"; undefined when the base is zero. */
export function percentSigned(partMicros: bigint, baseMicros: bigint): string | undefined {
  if (baseMicros <= 0n) return undefined;
  const tenths = divide(partMicros * 1_000n, baseMicros, 'nearest');
  const magnitude = magnitudeOf(tenths);
  const sign = tenths < 0n ? MINUS : tenths > 0n ? '+' : '';
  return `${sign}${withGroups(`${magnitude / 10n}.${magnitude % 10n}`)}%`;
}
