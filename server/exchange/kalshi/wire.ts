import { MAX_MICROS, MICROS } from '#lib/money.ts';

/**
 * Tolerant parsing of the exchange's JSON. Its shapes change about once a month: fields come and
 * go, numbers become strings, objects gain values. These functions return undefined or an empty
 * value instead of throwing or guessing; callers check required fields.
 */
export type Wire = Record<string, unknown>;

export function asWire(value: unknown): Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Wire)
    : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

const LONGEST_TEXT = 20_000;

/** The first of the names that holds a text, without characters that PostgreSQL cannot store. */
export function text(wire: Wire, ...names: string[]): string {
  for (const name of names) {
    const value = wire[name];
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (typeof value !== 'string') continue;
    const clean = clipped(value);
    if (clean !== '') return clean;
  }
  return '';
}

function clipped(value: string): string {
  const clean = (value.includes('\0') ? value.replaceAll('\0', '') : value).trim();
  return clean.length > LONGEST_TEXT ? clean.slice(0, LONGEST_TEXT) : clean;
}

export function flag(wire: Wire, name: string): boolean {
  const value = wire[name];
  return value === true || value === 1 || value === 'true';
}

const DECIMAL = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

const POINT = 46;
const ZERO = 48;
/** Together with the factors below, stays within the safe integers. */
const MOST_PLAIN_DIGITS = 12;
/** By the number of decimals. */
const TO_MICROS = [undefined, undefined, 10_000, 1_000, 100, 10, 1];

/**
 * Parses a decimal string or number to micros, truncating after the sixth digit. Accepts exponents,
 * which JSON writers use for small numbers. Undefined for anything else and for amounts out of
 * range.
 */
export function decimalMicros(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return plainMicros(String(value)) ?? anyMicros(String(value));
}

/**
 * Fast path for the usual spelling of a price or count: digits and a point, within the safe
 * integers.
 */
function plainMicros(text: string): bigint | undefined {
  if (text.length > MOST_PLAIN_DIGITS) return undefined;
  let digits = 0;
  let decimals = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === POINT && decimals < 0) decimals = 0;
    else if (code >= ZERO && code <= ZERO + 9) {
      digits = digits * 10 + code - ZERO;
      if (decimals >= 0) decimals += 1;
    } else return undefined;
  }
  // Two or more decimals: there are digits, and none is truncated.
  const factor = TO_MICROS[decimals];
  return factor === undefined ? undefined : BigInt(digits * factor);
}

function anyMicros(text: string): bigint | undefined {
  const match = DECIMAL.exec(text.trim());
  const [, sign, whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (!match || (whole === '' && fraction === '')) return undefined;
  // The digits are an integer times ten to the power of `scale`.
  const digits = BigInt(`${whole}${fraction}`);
  const scale = Number(exponent) - fraction.length + 6;
  const micros = scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
  if (micros > MAX_MICROS) return undefined;
  return sign === '-' ? -micros : micros;
}

/**
 * A price from zero to one dollar, as exact dollars (`yes_bid_dollars: "0.8100"`) or, before March
 * 2026, as whole cents (`yes_bid: 81`). Dollars take precedence.
 */
export function priceMicros(wire: Wire, name: string): bigint | undefined {
  return shareOfDollar(decimalMicros(wire[`${name}_dollars`])) ?? bareMicros(wire[name]);
}

/**
 * A price under a name without a unit. Whole numbers are cents. A decimal point up to one dollar
 * means dollars under the older name.
 */
export function bareMicros(value: unknown): bigint | undefined {
  const micros = decimalMicros(value);
  if (micros === undefined) return undefined;
  const isWhole = !/[.eE]/.test(String(value));
  return shareOfDollar(isWhole || micros > MICROS ? micros / 100n : micros);
}

function shareOfDollar(micros: bigint | undefined): bigint | undefined {
  return micros === undefined || micros < 0n || micros > MICROS ? undefined : micros;
}

/** A count as `volume_fp: "12.50"` or as the older whole number `volume: 12`. */
export function countMicros(wire: Wire, name: string): bigint | undefined {
  return notNegative(decimalMicros(wire[`${name}_fp`])) ?? notNegative(decimalMicros(wire[name]));
}

/** A count that may be negative: positions in No. */
export function signedCountMicros(wire: Wire, name: string): bigint | undefined {
  return decimalMicros(wire[`${name}_fp`]) ?? decimalMicros(wire[name]);
}

function notNegative(micros: bigint | undefined): bigint | undefined {
  return micros !== undefined && micros < 0n ? undefined : micros;
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const UNIX = /^\d{9,19}(?:\.\d+)?$/;
/** Times outside this range are placeholders, such as the year 1 for "never". */
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(2400, 0);

/**
 * Parses ISO text with any number of fractional digits, UTC by default, or a unix time as number or
 * text in seconds, milliseconds, microseconds or nanoseconds.
 */
export function moment(value: unknown): Date | undefined {
  const at = typeof value === 'string' ? knownMilliseconds(value) : milliseconds(value);
  return at !== undefined && at >= EARLIEST_MS && at < LATEST_MS ? new Date(at) : undefined;
}

/** The same few times repeat in thousands of records of a list. */
const known = new Map<string, number | undefined>();
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 40;

function knownMilliseconds(value: string): number | undefined {
  if (value.length > LONGEST_KNOWN) return milliseconds(value);
  const found = known.get(value);
  if (found !== undefined) return found;
  const at = milliseconds(value);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(value, at);
  return at;
}

function milliseconds(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? unixMilliseconds(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const given = value.trim();
  if (UNIX.test(given)) return unixMilliseconds(Number(given));
  const [whole, date, time = '00:00', zone = 'Z'] = ISO.exec(given) ?? [];
  if (whole === undefined) return undefined;
  const at = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(at) ? undefined : at;
}

function unixMilliseconds(value: number): number {
  if (value < 1e11) return Math.round(value * 1000);
  if (value < 1e14) return Math.round(value);
  return Math.round(value < 1e17 ? value / 1e3 : value / 1e6);
}
