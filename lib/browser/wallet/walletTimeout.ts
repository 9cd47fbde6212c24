import { abandonedRequest } from './abandonedRequest.ts';
import { toWalletError, WalletError } from './errors.ts';
import { isPasskeyPresent } from './ownerWords.ts';
import { walletStore } from './walletStore.ts';

/** A wallet prompt can stay unnoticed; after this long the page reports it instead of waiting. */
const TIMEOUT_MS = 120_000;

/**
 * The wallet's response, unless it times out, disconnects or switches accounts during the request:
 * then no response may ever come.
 *
 * @throws {WalletError} for every failure of the wallet, also timed_out and disconnected
 */
export function withWalletTimeout<T>(asked: Promise<T>): Promise<T> {
  const { address } = walletStore.get();
  abandonedRequest.set(undefined);
  const stops: (() => void)[] = [];
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new WalletError('timed_out', isPasskeyPresent() ? LATE_PASSKEY : LATE)),
      TIMEOUT_MS,
    );
    const leave = walletStore.subscribe(() => {
      if (address === undefined || walletStore.get().address === address) return;
      abandonedRequest.set(GONE);
      reject(new WalletError('disconnected', GONE));
    });
    stops.push(() => clearTimeout(timer), leave);
  });
  return Promise.race([asked, over])
    .catch((error: unknown) => {
      throw toWalletError(error);
    })
    .finally(() => {
      for (const stop of stops) stop();
    });
}

const LATE = 'Your wallet did not respond in time. Check it before you try again.';
const LATE_PASSKEY = 'The passkey’s prompt was not answered in time. Try again.';
const GONE =
  'Your wallet disconnected or switched accounts. Transactions confirmed so far will still go through. Check your wallet.';
