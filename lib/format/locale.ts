import { type DatePatterns, datePatternsOf, ENGLISH_DATES } from './datePatterns.ts';

/**
 * How the reader writes numbers and dates. The server decides from what the browser asks for, puts
 * it into the page, and the page goes on with the same: no number changes its looks on the way.
 */
export type ReaderLocale = {
  /** BCP 47, for dates. */
  tag: string;
  /** Between thousands. */
  group: string;
  /** Before the fraction. */
  decimal: string;
  /** Undefined where only `Intl` can write dates. */
  dates: DatePatterns | undefined;
};

export const ENGLISH: ReaderLocale = { tag: 'en', group: ',', decimal: '.', dates: ENGLISH_DATES };

/** Digits are 0 to 9 whatever the locale, so that amounts can be typed and compared. */
const LATIN_DIGITS = '-u-nu-latn';

/** Anybody may ask in languages nobody speaks. */
const MOST_KNOWN = 500;
const known = new Map<string, ReaderLocale>();

/** The first language of an Accept-Language header whose numbers are known; English otherwise. */
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

type Host = typeof globalThis & { crossbookReaderLocale?: () => ReaderLocale | undefined };

/** Tells the server's side of the pages whose request is being answered. Called once. */
export function provideReaderLocale(current: () => ReaderLocale | undefined): void {
  (globalThis as Host).crossbookReaderLocale = current;
}

let ofPage: ReaderLocale | undefined;

/** The reader's locale: in the browser the one in the page, on the server that of the request. */
export function readerLocale(): ReaderLocale {
  if (typeof document === 'undefined') {
    return (globalThis as Host).crossbookReaderLocale?.() ?? ENGLISH;
  }
  ofPage ??= readPage(document.documentElement.dataset);
  return ofPage;
}

function readPage({ locale, group, decimal, dates }: DOMStringMap): ReaderLocale {
  if (locale === undefined || group === undefined || decimal === undefined) return ENGLISH;
  return { tag: locale, group, decimal, dates: readPatterns(dates) };
}

function readPatterns(json: string | undefined): DatePatterns | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as DatePatterns);
}

/** The locale as attributes of the page's root, where `readerLocale` finds it. */
export function localeAttributes({ tag, group, decimal, dates }: ReaderLocale) {
  return {
    'data-locale': tag,
    'data-group': group,
    'data-decimal': decimal,
    'data-dates': dates && JSON.stringify(dates),
  };
}
