import type { DatePatterns } from './datePatterns.ts';

/**
 * How the reader writes numbers and dates. The server decides by the Accept-Language header and
 * puts the locale into the page; the page uses the same, so that hydration changes no number.
 */
export type ReaderLocale = {
  /** BCP 47, for dates. */
  tag: string;
  /** Thousands separator. */
  group: string;
  /** Decimal separator. */
  decimal: string;
  /** Undefined if only `Intl` can write the dates. */
  dates: DatePatterns | undefined;
};

/** The fallback without a known locale. */
export const PLAIN_ENGLISH: ReaderLocale = {
  tag: 'en',
  group: ',',
  decimal: '.',
  dates: undefined,
};

type Host = typeof globalThis & { crossbookReaderLocale?: () => ReaderLocale | undefined };

/** Registers the server's function that returns the locale of the current request. Called once. */
export function provideReaderLocale(current: () => ReaderLocale | undefined): void {
  (globalThis as Host).crossbookReaderLocale = current;
}

let ofPage: ReaderLocale | undefined;

/** The reader's locale: in the browser from the page, on the server from the request. */
export function readerLocale(): ReaderLocale {
  if (typeof document === 'undefined') {
    return (globalThis as Host).crossbookReaderLocale?.() ?? PLAIN_ENGLISH;
  }
  ofPage ??= readPage(document.documentElement.dataset);
  return ofPage;
}

function readPage({ locale, group, decimal, dates }: DOMStringMap): ReaderLocale {
  if (locale === undefined || group === undefined || decimal === undefined) return PLAIN_ENGLISH;
  return { tag: locale, group, decimal, dates: readPatterns(dates) };
}

function readPatterns(json: string | undefined): DatePatterns | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as DatePatterns);
}

/** The locale as attributes of the page's root, which `readerLocale` reads. */
export function localeAttributes({ tag, group, decimal, dates }: ReaderLocale) {
  return {
    'data-locale': tag,
    'data-group': group,
    'data-decimal': decimal,
    'data-dates': dates && JSON.stringify(dates),
  };
}
