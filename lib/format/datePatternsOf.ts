import { DATE_STYLES, type DatePatterns, type DateStyle, writeDate } from './datePatterns.ts';

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
