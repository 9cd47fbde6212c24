import { describe, expect, it } from 'vitest';
import { DATE_STYLES, type DateStyle, writeDate } from './locale.ts';
import { datePatternsOf, ENGLISH_DATES } from './localeOf.ts';

const styles = Object.keys(DATE_STYLES) as DateStyle[];
const moments = [
  new Date(2026, 0, 1, 0, 0, 0),
  new Date(2026, 1, 28, 9, 5, 59),
  new Date(2028, 1, 29, 12, 0, 7),
  new Date(2026, 10, 22, 23, 59, 59),
  new Date(1999, 11, 31, 13, 7, 1),
];

describe('the patterns of a locale', () => {
  it.each(['en', 'en-GB', 'de', 'fr', 'ja', 'cs', 'he', 'ar', 'fi', 'lt', 'zh-TW'])(
    'given %s, format like Intl',
    (tag) => {
      const patterns = datePatternsOf(tag);
      if (!patterns) throw new Error('there are none');
      for (const style of styles) {
        const format = new Intl.DateTimeFormat(tag, DATE_STYLES[style]);
        for (const at of moments) expect(writeDate(at, style, patterns)).toBe(format.format(at));
      }
    },
  );

  it('given English, are known without Intl', () => {
    expect(datePatternsOf('en')).toEqual(ENGLISH_DATES);
  });

  it.each(['fa', 'th', 'ar-SA-u-ca-islamic', 'mr', 'ru'])('given %s, are left to Intl', (tag) => {
    expect(datePatternsOf(tag)).toBeUndefined();
  });
});
