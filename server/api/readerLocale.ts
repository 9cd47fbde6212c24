import { AsyncLocalStorage } from 'node:async_hooks';
import { provideReaderLocale, type ReaderLocale } from '#lib/format/locale.ts';
import { localeOf } from '#lib/format/localeOf.ts';

const current = new AsyncLocalStorage<ReaderLocale>();
provideReaderLocale(() => current.getStore());

/** Renders a page with the numbers and dates of its reader's locale. */
export function inReaderLocale(acceptLanguage: string | undefined, handle: () => void): void {
  current.run(localeOf(acceptLanguage), handle);
}
