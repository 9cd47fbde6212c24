import { createStore, useStore } from '#lib/browser/storage/store.ts';
import { rememberedWallet, walletStore } from '#lib/browser/wallet/walletStore.ts';
import { sameAddress } from '#lib/format/address.ts';

/**
 * The session: a token of the signed-in wallet, stored across reloads and deleted when it expires.
 */
export type Session = {
  token: string;
  address: `0x${string}`;
  expiresAtMs: number;
  /** The service's id of the session; absent from sessions stored by older versions. */
  id?: string | undefined;
};

const STORAGE_KEY = 'crossbook.session';
const store = createStore<Session | undefined>(undefined);
let expiry: ReturnType<typeof setTimeout> | undefined;

let isRestored = false;

/** Loads the session of the last visit once, then follows changes in other tabs. */
export function restoreSession(): void {
  if (isRestored) return;
  isRestored = true;
  read();
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY) read();
  });
}

function read(): void {
  const text = localStorage.getItem(STORAGE_KEY);
  if (text === null) {
    clearTimeout(expiry);
    store.set(undefined);
    return;
  }
  try {
    const { token, address, expiresAtMs, id } = JSON.parse(text) as Session;
    hold({ token, address, expiresAtMs, id });
  } catch {
    endSession();
  }
}

export function beginSession(session: Session): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  hold(session);
}

export function endSession(): void {
  clearTimeout(expiry);
  localStorage.removeItem(STORAGE_KEY);
  store.set(undefined);
}

function hold(session: Session): void {
  clearTimeout(expiry);
  const left = session.expiresAtMs - Date.now();
  if (!(left > 0)) {
    endSession();
    return;
  }
  // Timers hold 32 bits of milliseconds; a longer one would fire at once.
  expiry = setTimeout(() => hold(session), Math.min(left, 2 ** 31 - 1));
  store.set(session);
}

/**
 * The token to send if the shown account is signed in; the first call also loads it. With another
 * account in the wallet there is no token: its data must not appear to that account.
 */
export function sessionToken(): string | undefined {
  if (typeof window === 'undefined') return undefined;
  restoreSession();
  const session = store.get();
  return sameAddress(session?.address, visitorAddress()) ? session?.token : undefined;
}

function visitorAddress(): string | undefined {
  const { status, address } = walletStore.get();
  return status === 'unknown' ? rememberedWallet()?.address : address;
}

/** Calls back whenever the token to send changes. */
export function followSession(listener: () => void): () => void {
  let known = sessionToken();
  const look = () => {
    const token = sessionToken();
    if (token === known) return;
    known = token;
    listener();
  };
  const stops = [store.subscribe(look), walletStore.subscribe(look)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The session of this wallet; undefined if the session belongs to another wallet. */
export function useSession(address: string | undefined): Session | undefined {
  const session = useStore(store, undefined);
  return sameAddress(session?.address, address) ? session : undefined;
}
