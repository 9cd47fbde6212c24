/**
 * How the reader writes numbers and dates. The server decides by the Accept-Language header and
 * puts the locale into the page; the page uses the same, so that hydration changes no number.
 */
export type ReaderLocale = {
  /** BCP 47, for dates. */
  tag: string;
  /** Thousands separator. */
  group: string;
  /** Decimal separator. */
  decimal: string;
  /** Undefined if only `Intl` can write the dates. */
  dates: DatePatterns | undefined;
};

/** The fallback without a known locale. */
export const PLAIN_ENGLISH: ReaderLocale = {
  tag: 'en',
  group: ',',
  decimal: '.',
  dates: undefined,
};

type Host = typeof globalThis & { crossbookReaderLocale?: () => ReaderLocale | undefined };

/** Registers the server's function that returns the locale of the current request. Called once. */
export function provideReaderLocale(current: () => ReaderLocale | undefined): void {
  (globalThis as Host).crossbookReaderLocale = current;
}

let ofPage: ReaderLocale | undefined;

/** The reader's locale: in the browser from the page, on the server from the request. */
export function readerLocale(): ReaderLocale {
  if (typeof document === 'undefined') {
    return (globalThis as Host).crossbookReaderLocale?.() ?? PLAIN_ENGLISH;
  }
  ofPage ??= readPage(document.documentElement.dataset);
  return ofPage;
}

function readPage({ locale, group, decimal, dates }: DOMStringMap): ReaderLocale {
  if (locale === undefined || group === undefined || decimal === undefined) return PLAIN_ENGLISH;
  return { tag: locale, group, decimal, dates: readPatterns(dates) };
}

function readPatterns(json: string | undefined): DatePatterns | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as DatePatterns);
}

/** The locale as attributes of the page's root, which `readerLocale` reads. */
export function localeAttributes({ tag, group, decimal, dates }: ReaderLocale) {
  return {
    'data-locale': tag,
    'data-group': group,
    'data-decimal': decimal,
    'data-dates': dates && JSON.stringify(dates),
  };
}

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
