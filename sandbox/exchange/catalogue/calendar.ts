import type { Cadence } from './template.ts';

const MINUTE = 60_000;
const FIXED_UNITS_MS = { minute: MINUTE, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
/** Weeks end on Sunday; the epoch began on a Thursday. */
const WEEK_SHIFT_MS = 3 * FIXED_UNITS_MS.day;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN'].concat([
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
]);

/** The number of the period that a moment falls in. */
export function periodAt(cadence: Cadence, at: number): number {
  const shifted = at - (cadence.offsetMs ?? 0);
  if (cadence.unit === 'month' || cadence.unit === 'year') {
    const date = new Date(shifted);
    const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
    return Math.floor(months / monthsOf(cadence));
  }
  const shift = cadence.unit === 'week' ? WEEK_SHIFT_MS : 0;
  return Math.floor((shifted + shift) / (FIXED_UNITS_MS[cadence.unit] * cadence.every));
}

/** When a period closes: its end, moved by the cadence's offset. */
export function closeOf(cadence: Cadence, period: number): number {
  const offset = cadence.offsetMs ?? 0;
  if (cadence.unit === 'month' || cadence.unit === 'year') {
    const months = (period + 1) * monthsOf(cadence);
    return Date.UTC(Math.floor(months / 12), months % 12) + offset;
  }
  const shift = cadence.unit === 'week' ? WEEK_SHIFT_MS : 0;
  return (period + 1) * FIXED_UNITS_MS[cadence.unit] * cadence.every - shift + offset;
}

function monthsOf(cadence: Cadence): number {
  return cadence.unit === 'year' ? cadence.every * 12 : cadence.every;
}

/** The part of a ticker that names the moment, as fine as the cadence needs. */
export function stampOf(cadence: Cadence, closeAt: number): string {
  const date = new Date(closeAt);
  const day = `${dd(date.getUTCFullYear() % 100)}${MONTHS[date.getUTCMonth()]}${dd(date.getUTCDate())}`;
  if (cadence.unit === 'minute')
    return `${day}${dd(date.getUTCHours())}${dd(date.getUTCMinutes())}`;
  if (cadence.unit === 'hour') return `${day}${dd(date.getUTCHours())}`;
  if (cadence.unit === 'day' || cadence.unit === 'week') return day;
  const last = new Date(closeAt - 1);
  const year = dd(last.getUTCFullYear() % 100);
  return cadence.unit === 'year' ? year : `${year}${MONTHS[last.getUTCMonth()]}`;
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const monthFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Nov 22, 2026" */
export function dayText(at: number): string {
  return dayFormat.format(at);
}

/** "November 2026" of the period that ends at a moment. */
export function monthText(closeAt: number): string {
  return monthFormat.format(closeAt - 1);
}

/** The year a period ends in. */
export function yearText(closeAt: number): string {
  return String(new Date(closeAt - 1).getUTCFullYear());
}

/** "14:05 UTC" */
export function timeText(at: number): string {
  const date = new Date(at);
  return `${dd(date.getUTCHours())}:${dd(date.getUTCMinutes())} UTC`;
}

function dd(value: number): string {
  return String(value).padStart(2, '0');
}
