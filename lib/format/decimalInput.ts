import { formatMicros } from '#lib/money.ts';
import { type ReaderLocale, readerLocale } from './locale.ts';

const escaped = (mark: string) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Converts typed input to a plain decimal. Thousands separators count as such only between groups
 * of thousands; a single comma or point elsewhere starts the fraction. Returns invalid input
 * unchanged.
 */
export function plainDecimal(text: string, locale: ReaderLocale = readerLocale()): string {
  const typed = text
    .trim()
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    // Arabic and Persian keyboards have their own digits and separators.
    .replace(/[٠-٩۰-۹]/g, (figure) => `${figure.charCodeAt(0) % 16}`)
    .replace('٫', locale.decimal)
    .replaceAll('٬', locale.group);
  const group = escaped(/\s/.test(locale.group) ? ' ' : locale.group);
  const decimal = escaped(locale.decimal);
  const grouped = new RegExp(`^(\\d{1,3}(?:${group}\\d{3})+)(?:${decimal}(\\d*))?$`).exec(typed);
  if (grouped) {
    const whole = (grouped[1] ?? '').replace(/\D/g, '');
    return grouped[2] ? `${whole}.${grouped[2]}` : whole;
  }
  return typed.replace(/^(\d*)[.,](\d*)$/, (_, whole: string, fraction: string) => {
    if (whole === '' && fraction === '') return typed;
    return fraction === '' ? whole : `${whole || '0'}.${fraction}`;
  });
}

/** Micros as a person would type them: `plainDecimal` reads it back. */
export function typedMicros(micros: bigint, locale: ReaderLocale = readerLocale()): string {
  return formatMicros(micros).replace('.', locale.decimal);
}
