import type { DatePatterns } from './datePatterns.ts';

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

/** Where nobody has told what the reader writes. */
export const PLAIN_ENGLISH: ReaderLocale = {
  tag: 'en',
  group: ',',
  decimal: '.',
  dates: undefined,
};

type Host = typeof globalThis & { crossbookReaderLocale?: () => ReaderLocale | undefined };

/** Tells the server's side of the pages whose request is being answered. Called once. */
export function provideReaderLocale(current: () => ReaderLocale | undefined): void {
  (globalThis as Host).crossbookReaderLocale = current;
}

let ofPage: ReaderLocale | undefined;

/** The reader's locale: in the browser the one in the page, on the server that of the request. */
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

/** The locale as attributes of the page's root, where `readerLocale` finds it. */
export function localeAttributes({ tag, group, decimal, dates }: ReaderLocale) {
  return {
    'data-locale': tag,
    'data-group': group,
    'data-decimal': decimal,
    'data-dates': dates && JSON.stringify(dates),
  };
}
