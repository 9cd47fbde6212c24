import { WalletError } from './errors.ts';

/** People look away from their wallets; after this long the page says so instead of waiting on. */
const PATIENCE_MS = 120_000;

/** What the wallet answers, unless it does not answer at all. @throws {WalletError} timed_out */
export function withPatience<T>(asked: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new WalletError(
          'timed_out',
          'The wallet did not answer in time. Look into it before you try again.',
        ),
      );
    }, PATIENCE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
