import { MAX_MICROS, MICROS, tryParseMicros } from '#lib/money.ts';
import { plainDecimal } from './decimalInput.ts';
import { type ReaderLocale, readerLocale } from './locale.ts';

/** An amount as typed: a number, or a share of what there is in millionths. */
export type TypedAmount =
  | { kind: 'number'; micros: bigint }
  | { kind: 'share'; shareMicros: bigint }
  | { kind: 'empty' }
  | { kind: 'invalid' };

const UNITS: Record<string, bigint> = { k: 1_000n, m: 1_000_000n };
const CURRENCY = /^(?:(?:us)?\$|usdc?)\s*|\s*(?:\$|usdc?|dollars?)$/gi;
const SUFFIX = /\s*(k|m|%)$/i;

/** Reads "50", "$50", "1,000", "1 000", "1.5k", "2m", "$1k", "50 USDC", "USD 50" and "50 %". */
export function readAmount(text: string, locale: ReaderLocale = readerLocale()): TypedAmount {
  const typed = text.trim();
  if (typed === '') return { kind: 'empty' };
  const bare = typed.replace(CURRENCY, '');
  const suffix = SUFFIX.exec(bare)?.[1]?.toLowerCase();
  const micros = tryParseMicros(plainDecimal(bare.replace(SUFFIX, ''), locale));
  if (micros === undefined) return { kind: 'invalid' };
  if (suffix === '%') {
    return micros > 100n * MICROS
      ? { kind: 'invalid' }
      : { kind: 'share', shareMicros: micros / 100n };
  }
  const whole = micros * (UNITS[suffix ?? ''] ?? 1n);
  return whole > MAX_MICROS ? { kind: 'invalid' } : { kind: 'number', micros: whole };
}

/** Whether the amount is in dollars whatever its field counts, as "$5". */
export function namesCurrency(text: string): boolean {
  return text.trim().search(CURRENCY) !== -1;
}

/** The same for a field without shares, in micros; undefined when it is empty or invalid. */
export function readAmountMicros(text: string, locale?: ReaderLocale): bigint | undefined {
  const typed = readAmount(text, locale);
  return typed.kind === 'number' ? typed.micros : undefined;
}
