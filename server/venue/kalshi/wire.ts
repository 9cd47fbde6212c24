import { MICROS } from '#lib/money.ts';

/**
 * Tolerant reading of the exchange's JSON. Its shapes change about once a month: fields come and
 * go, numbers become strings, objects gain values. Everything here answers a fallback rather than
 * throwing; what must be there is checked by whoever needs it.
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

/** The first of the names that holds a text. */
export function text(wire: Wire, ...names: string[]): string {
  for (const name of names) {
    const value = wire[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

export function flag(wire: Wire, name: string): boolean {
  return wire[name] === true;
}

const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?$/;

/** A decimal text or number as micros, digits beyond the sixth cut off; undefined otherwise. */
export function decimalMicros(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = DECIMAL.exec(String(value).trim());
  const [, sign, whole = '', fraction = ''] = match ?? [];
  if (!match || (whole === '' && fraction === '')) return undefined;
  const micros = BigInt(whole || '0') * MICROS + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return sign === '-' ? -micros : micros;
}

/**
 * A price that may come as exact dollars (`yes_bid_dollars: "0.8100"`) or, in payloads of before
 * March 2026, as whole cents (`yes_bid: 81`). Dollars win.
 */
export function priceMicros(wire: Wire, name: string): bigint | undefined {
  const dollars = decimalMicros(wire[`${name}_dollars`]);
  if (dollars !== undefined) return dollars;
  const cents = wire[name];
  if (typeof cents === 'number' && Number.isFinite(cents))
    return BigInt(Math.round(cents)) * 10_000n;
  return decimalMicros(cents);
}

/** A count that may come as `volume_fp: "12.50"` or as the older whole number `volume: 12`. */
export function countMicros(wire: Wire, name: string): bigint | undefined {
  return decimalMicros(wire[`${name}_fp`]) ?? decimalMicros(wire[name]);
}

/** ISO text with any number of fractional digits, or unix seconds or milliseconds. */
export function moment(value: unknown): Date | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) {
    return new Date(value > 100_000_000_000 ? value : value * 1000);
  }
  if (typeof value !== 'string' || value === '') return undefined;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
