import { afterEach, describe, expect, it } from 'vitest';
import { provideReaderLocale } from './locale.ts';
import { ENGLISH, localeOf } from './localeOf.ts';
import { cents, contracts, dollars, percentSigned } from './money.ts';

describe('localeOf', () => {
  it('takes the browser’s first language', () => {
    expect(localeOf('de-DE,de;q=0.9,en;q=0.8')).toMatchObject({
      tag: 'de-DE-u-nu-latn',
      group: '.',
      decimal: ',',
    });
    expect(localeOf('en-US,en;q=0.5')).toMatchObject({ group: ',', decimal: '.' });
    expect(localeOf('ar-EG')).toMatchObject({ group: ',', decimal: '.' });
  });

  it.each([undefined, '', '*', 'xx', '<script>', 'de_DE', 'a'.repeat(500)])(
    'falls back to English for %j',
    (header) => {
      expect(localeOf(header)).toEqual(ENGLISH);
    },
  );
});

describe('amounts', () => {
  afterEach(() => provideReaderLocale(() => undefined));

  it('are written with the separators of the reader', () => {
    provideReaderLocale(() => localeOf('de'));
    expect(dollars(1_234_500_000n)).toBe('$1.234,50');
    expect(contracts(1_250_500_000n)).toBe('1.250,5');
    expect(cents(435_000n)).toBe('43,5¢');
    expect(percentSigned(-124_000n, 1_000_000n)).toBe('−12,4%');
  });
});
