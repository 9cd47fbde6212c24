const DAY = { month: 'short', day: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** The date and time formats. */
export const DATE_STYLES = {
  day: DAY,
  date: { ...DAY, year: 'numeric' },
  dateTime: { ...DAY, ...TIME },
  dateTimeOfYear: { ...DAY, ...TIME, year: 'numeric' },
  clock: { ...TIME, second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof DATE_STYLES;

/**
 * How a locale writes moments, as templates: "{month} {day}, {year}". The server derives them from
 * `Intl`, whose first date takes a browser tens of milliseconds.
 */
export type DatePatterns = Record<DateStyle, string> & { months: readonly string[] };

export const twoDigits = (part: number) => `${part}`.padStart(2, '0');

/** A moment in the local time zone. */
export function writeDate(at: Date, style: DateStyle, patterns: DatePatterns): string {
  const parts: Record<string, string | undefined> = {
    year: `${at.getFullYear()}`,
    month: patterns.months[at.getMonth()],
    day: `${at.getDate()}`,
    paddedDay: twoDigits(at.getDate()),
    hour: twoDigits(at.getHours()),
    minute: twoDigits(at.getMinutes()),
    second: twoDigits(at.getSeconds()),
  };
  return patterns[style].replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
}
