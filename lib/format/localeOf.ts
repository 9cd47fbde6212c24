import {
  DATE_STYLES,
  type DatePatterns,
  type DateStyle,
  PLAIN_ENGLISH,
  type ReaderLocale,
  writeDate,
} from './locale.ts';

export const ENGLISH_DATES: DatePatterns = {
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  day: '{month} {day}',
  date: '{month} {day}, {year}',
  dateTime: '{month} {day}, {hour}:{minute}',
  dateTimeOfYear: '{month} {day}, {year}, {hour}:{minute}',
  clock: '{hour}:{minute}:{second}',
};

/** A one-digit and a two-digit day of each month, at a time without repeated numbers. */
const SAMPLES = Array.from({ length: 24 }, (_, index) => {
  const month = index % 12;
  return index < 12 ? new Date(2026, month, 5, 7, 8, 9) : new Date(2031, month, 25, 23, 45, 0);
});

/**
 * The patterns of a locale; undefined if templates cannot express its dates, as in other calendars.
 */
export function datePatternsOf(tag: string): DatePatterns | undefined {
  const styles = Object.keys(DATE_STYLES) as DateStyle[];
  const formats = new Map(
    styles.map((style) => [style, new Intl.DateTimeFormat(tag, DATE_STYLES[style])]),
  );
  const patterns: DatePatterns = { ...ENGLISH_DATES, months: [] };
  for (const [style, format] of formats) patterns[style] = patternOf(format);
  patterns.months = SAMPLES.slice(0, 12).map(
    (at) =>
      formats
        .get('day')
        ?.formatToParts(at)
        .find(({ type }) => type === 'month')?.value ?? '',
  );
  const isRight = [...formats].every(([style, format]) =>
    SAMPLES.every((at) => writeDate(at, style, patterns) === format.format(at)),
  );
  return isRight ? patterns : undefined;
}

function patternOf(format: Intl.DateTimeFormat): string {
  return format
    .formatToParts(SAMPLES[0])
    .map(({ type, value }) => {
      if (type === 'literal') return value;
      return type === 'day' && value.length === 2 ? '{paddedDay}' : `{${type}}`;
    })
    .join('');
}

export const ENGLISH: ReaderLocale = { ...PLAIN_ENGLISH, dates: ENGLISH_DATES };

/** Digits are 0 to 9 in every locale, so that amounts can be typed and compared. */
const LATIN_DIGITS = '-u-nu-latn';

/** The header is arbitrary input and may name unknown languages. */
const MOST_KNOWN = 500;
const known = new Map<string, ReaderLocale>();

/**
 * The first language of an Accept-Language header with a known number format; English otherwise.
 */
export function localeOf(acceptLanguage: string | undefined): ReaderLocale {
  const first = (acceptLanguage ?? '').split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? '';
  const before = known.get(first);
  if (before) return before;
  const found = readLocale(first);
  if (known.size >= MOST_KNOWN) known.clear();
  if (found !== ENGLISH) known.set(first, found);
  return found;
}

function readLocale(first: string): ReaderLocale {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(first)) return ENGLISH;
  const [tag] = Intl.NumberFormat.supportedLocalesOf(first);
  if (tag === undefined) return ENGLISH;
  const parts = new Intl.NumberFormat(`${tag}${LATIN_DIGITS}`).formatToParts(1_234_567.5);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value;
  const group = mark('group') ?? ENGLISH.group;
  const decimal = mark('decimal') ?? ENGLISH.decimal;
  if (group === decimal) return ENGLISH;
  const dated = `${tag}${LATIN_DIGITS}`;
  return { tag: dated, group, decimal, dates: datePatternsOf(dated) };
}
