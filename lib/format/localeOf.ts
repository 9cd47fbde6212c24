import { datePatternsOf, ENGLISH_DATES } from './datePatternsOf.ts';
import { PLAIN_ENGLISH, type ReaderLocale } from './locale.ts';

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
