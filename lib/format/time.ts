import { DATE_STYLES, type DateStyle, readerLocale, twoDigits, writeDate } from './locale.ts';

/** Times for display: local, with the exact UTC time available beside them. */

const TWO_DAYS_SECONDS = 2 * 24 * 3_600;
/** Below this range an axis would show the same minute more than once. */
const FEW_MINUTES_SECONDS = 300;

function formatted(at: Date, style: DateStyle): string {
  const { tag, dates } = readerLocale();
  const text = dates ? writeDate(at, style, dates) : at.toLocaleString(tag, DATE_STYLES[style]);
  // Isolates right-to-left text within left-to-right text, which would otherwise reorder its parts.
  return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
}

/** "Nov 21, 2026" in the reader's zone. */
export function shortDate(iso: string): string {
  return formatted(new Date(iso), 'date');
}

/** "Nov 21, 16:40" in the reader's zone, with the year if it is not the current one. */
export function dateTime(iso: string, now: Date = new Date()): string {
  const isThisYear = new Date(iso).getFullYear() === now.getFullYear();
  return formatted(new Date(iso), isThisYear ? 'dateTime' : 'dateTimeOfYear');
}

/** "16:40:07" in the reader's zone. */
export function clockTime(iso: string): string {
  return formatted(new Date(iso), 'clock');
}

/**
 * A moment on a chart's axis, in the reader's zone: "16:40" if the chart covers less than two days,
 * with seconds if it covers a few minutes, "Nov 21" otherwise.
 */
export function axisTime(seconds: number, spanSeconds: number): string {
  const at = new Date(seconds * 1_000);
  if (spanSeconds >= TWO_DAYS_SECONDS) return formatted(at, 'day');
  const parts = [at.getHours(), at.getMinutes()];
  if (spanSeconds < FEW_MINUTES_SECONDS) parts.push(at.getSeconds());
  return parts.map(twoDigits).join(':');
}
