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
};

export const ENGLISH: ReaderLocale = { tag: 'en', group: ',', decimal: '.' };

/** Digits are 0 to 9 whatever the locale, so that amounts can be typed and compared. */
const LATIN_DIGITS = '-u-nu-latn';

/** The first language of an Accept-Language header whose numbers are known; English otherwise. */
export function localeOf(acceptLanguage: string | undefined): ReaderLocale {
  const first = (acceptLanguage ?? '').split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? '';
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(first)) return ENGLISH;
  const [tag] = Intl.NumberFormat.supportedLocalesOf(first);
  if (tag === undefined) return ENGLISH;
  const parts = new Intl.NumberFormat(`${tag}${LATIN_DIGITS}`).formatToParts(1_234_567.5);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value;
  const group = mark('group') ?? ENGLISH.group;
  const decimal = mark('decimal') ?? ENGLISH.decimal;
  return group === decimal ? ENGLISH : { tag: `${tag}${LATIN_DIGITS}`, group, decimal };
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

function readPage({ locale, group, decimal }: DOMStringMap): ReaderLocale {
  if (locale === undefined || group === undefined || decimal === undefined) return ENGLISH;
  return { tag: locale, group, decimal };
}

/** The locale as attributes of the page's root, where `readerLocale` finds it. */
export function localeAttributes({ tag, group, decimal }: ReaderLocale) {
  return { 'data-locale': tag, 'data-group': group, 'data-decimal': decimal };
}
