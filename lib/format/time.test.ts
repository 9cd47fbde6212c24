import { afterEach, describe, expect, it } from 'vitest';
import { provideReaderLocale } from './locale.ts';
import { localeOf } from './localeOf.ts';
import { axisTime, clockTime, dateTime, shortDate } from './time.ts';

const AT = '2026-11-21T16:40:07.123Z';

describe('a moment', () => {
  afterEach(() => provideReaderLocale(() => undefined));

  it.each(['en-US', 'de-DE', 'fa', undefined])('given %s, is written like Intl', (language) => {
    const locale = language === undefined ? undefined : localeOf(language);
    provideReaderLocale(() => locale);
    const tag = locale?.tag ?? 'en';
    const day = { month: 'short', day: 'numeric' } as const;
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const written = (options: Intl.DateTimeFormatOptions) => {
      const text = new Intl.DateTimeFormat(tag, options).format(new Date(AT));
      return /[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text;
    };
    expect(shortDate(AT)).toBe(written({ ...day, year: 'numeric' }));
    expect(dateTime(AT, new Date(2026, 0, 1))).toBe(written({ ...day, ...time }));
    expect(dateTime(AT, new Date(2027, 5, 1))).toBe(written({ ...day, year: 'numeric', ...time }));
    expect(clockTime(AT)).toBe(written({ ...time, second: '2-digit' }));
    expect(axisTime(Date.parse(AT) / 1_000, 3 * 24 * 3_600)).toBe(written(day));
  });

  it('given an axis in seconds, shows them only if minutes would repeat', () => {
    const at = new Date(2026, 10, 21, 16, 40, 7).getTime() / 1_000;
    expect(axisTime(at, 299)).toBe('16:40:07');
    expect(axisTime(at, 300)).toBe('16:40');
    expect(axisTime(at, 2 * 24 * 3_600 - 1)).toBe('16:40');
  });

  it('given a right-to-left language, keeps its order within English text', () => {
    provideReaderLocale(() => localeOf('ar-EG'));
    expect(shortDate(AT)).toMatch(/^\u2068.*نوفمبر.*\u2069$/);
    expect(clockTime(AT)).not.toMatch(/\u2068/);
  });
});
