import { DATE_STYLES, type DateStyle, writeDate } from './datePatterns.ts';
import { readerLocale } from './locale.ts';

/** Times as people read them: local, with the exact moment available beside them. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "3 d 4 h", "2 h 10 min", "45 s": the two largest parts of a duration that is not negative. */
export function duration(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= 60 * DAY_MS) return `${Math.floor(left / (30 * DAY_MS))} months`;
  if (left >= 10 * DAY_MS) return `${Math.floor(left / DAY_MS)} days`;
  if (left >= DAY_MS) return pair(left, DAY_MS, 'd', HOUR_MS, 'h');
  if (left >= HOUR_MS) return pair(left, HOUR_MS, 'h', MINUTE_MS, 'min');
  if (left >= MINUTE_MS) return pair(left, MINUTE_MS, 'min', 1_000, 's');
  return `${Math.floor(left / 1_000)} s`;
}

function pair(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const bigCount = Math.floor(ms / big);
  const smallCount = Math.floor((ms % big) / small);
  return smallCount === 0
    ? `${bigCount} ${bigName}`
    : `${bigCount} ${bigName} ${smallCount} ${smallName}`;
}

/** Making a format takes a thousand times as long as using it. */
const made = new Map<string, Intl.DateTimeFormat>();

function formatted(at: Date, style: DateStyle): string {
  const { tag, dates } = readerLocale();
  if (dates && !Number.isNaN(at.getTime())) return writeDate(at, style, dates);
  const key = `${tag} ${style}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(tag, DATE_STYLES[style]);
  made.set(key, format);
  return format.format(at);
}

/** "Nov 21, 2026" in the reader's zone. */
export function shortDate(iso: string): string {
  return formatted(new Date(iso), 'date');
}

/** "Nov 21, 16:40" in the reader's zone, with the year where it is another than this one. */
export function dateTime(iso: string, now: Date = new Date()): string {
  const isThisYear = new Date(iso).getFullYear() === now.getFullYear();
  return formatted(new Date(iso), isThisYear ? 'dateTime' : 'dateTimeOfYear');
}

/** "16:40:07" in the reader's zone. */
export function clockTime(iso: string): string {
  return formatted(new Date(iso), 'clock');
}

/**
 * A moment below a chart, in the reader's zone: "16:40" where the chart covers less than two days,
 * "Nov 21" otherwise.
 */
export function axisTime(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1_000);
  if (spanSeconds * 1_000 >= 2 * DAY_MS) return formatted(at, 'day');
  return [at.getHours(), at.getMinutes()].map((part) => `${part}`.padStart(2, '0')).join(':');
}

/** "2026-11-21 16:40:07 UTC", for titles and receipts. */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
