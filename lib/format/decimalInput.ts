import { formatMicros } from '#lib/money.ts';
import { type ReaderLocale, readerLocale } from './locale.ts';

const escaped = (mark: string) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Converts typed input to a plain decimal. Thousands separators count as such only between groups
 * of thousands, and spaces too, as in pasted text; a single comma or point elsewhere starts the
 * fraction. More than three digits after the locale's thousands separator can mean either, so they
 * are invalid, as in "1,0000". Returns invalid input unchanged.
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
  const groups = `[1-9]\\d{0,2}(?:(?:${group}\\d{3})+|(?: \\d{3})+)`;
  const grouped = new RegExp(`^(${groups})(?:${decimal}(\\d*))?$`).exec(typed);
  if (grouped) {
    const whole = (grouped[1] ?? '').replace(/\D/g, '');
    return grouped[2] ? `${whole}.${grouped[2]}` : whole;
  }
  if (new RegExp(`^[1-9]\\d*${group}\\d{4,}$`).test(typed)) return typed;
  return typed.replace(/^(\d*)[.,](\d*)$/, (_, whole: string, fraction: string) => {
    if (whole === '' && fraction === '') return typed;
    return fraction === '' ? whole : `${whole || '0'}.${fraction}`;
  });
}

/** Micros as a person would type them: `plainDecimal` reads it back. */
export function typedMicros(micros: bigint, locale: ReaderLocale = readerLocale()): string {
  return formatMicros(micros).replace('.', locale.decimal);
}
