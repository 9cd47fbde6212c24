import { DATE_STYLES, type DateStyle, twoDigits, writeDate } from './datePatterns.ts';
import { readerLocale } from './locale.ts';

/** Times as people read them: local, with the exact moment available beside them. */

const TWO_DAYS_SECONDS = 2 * 24 * 3_600;
/** Within less than this the same minute would stand at an axis more than once. */
const FEW_MINUTES_SECONDS = 300;

function formatted(at: Date, style: DateStyle): string {
  const { tag, dates } = readerLocale();
  const text = dates ? writeDate(at, style, dates) : at.toLocaleString(tag, DATE_STYLES[style]);
  // Right to left within words that go left to right: isolated, or its parts would change places.
  return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
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
 * with seconds where it covers a few minutes, "Nov 21" otherwise.
 */
export function axisTime(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1_000);
  if (spanSeconds >= TWO_DAYS_SECONDS) return formatted(at, 'day');
  const parts = [at.getHours(), at.getMinutes()];
  if (spanSeconds < FEW_MINUTES_SECONDS) parts.push(at.getSeconds());
  return parts.map(twoDigits).join(':');
}
