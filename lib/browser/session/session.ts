import { createBrowserStore } from '#lib/browser/storage/browserStore.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';
import { rememberedWallet, walletStore } from '#lib/browser/wallet/walletStore.ts';
import { sameAddress } from '#lib/format/address.ts';

/**
 * The session of the signed-in wallet, stored across reloads. Its token is short-lived; a cookie that
 * pages cannot read renews it.
 */
export type Session = {
  token: string;
  address: `0x${string}`;
  /** When the token expires. */
  expiresAtMs: number;
  /** When the session ends; absent from sessions stored by older versions, as is the id. */
  renewableUntilMs?: number | undefined;
  id?: string | undefined;
};

const STORAGE_KEY = 'crossbook.session';
/** Present while the service has not heard of a sign-out. */
export const SIGNED_OUT_KEY = 'crossbook.signedOut';
const store = createStore<Session | undefined>(undefined);
/** The wallet whose session expired in this browser, until the next sign-in. */
export const expiredStore = createBrowserStore('crossbook.sessionExpired', '', (value) =>
  typeof value === 'string' ? value : undefined,
);
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

/** Reads what this tab or another one stored last. */
function read(): void {
  const text = localStorage.getItem(STORAGE_KEY);
  if (text === null) {
    clearTimeout(expiry);
    store.set(undefined);
    return;
  }
  try {
    const { token, address, expiresAtMs, renewableUntilMs, id } = JSON.parse(text) as Session;
    hold({ token, address, expiresAtMs, renewableUntilMs, id });
  } catch {
    endSession();
  }
}

export function beginSession(session: Session): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  expiredStore.set('');
  hold(session);
}

/** Ends a session whose owner did not end it here; the next prompt to sign in says so. */
export function expireSession({ address }: Pick<Session, 'address'>): void {
  expiredStore.set(address);
  endSession();
}

/** After a sign-out the service still has to end the session; see `finishSignOut`. */
export function endSession({ isSignOut = false } = {}): void {
  clearTimeout(expiry);
  if (isSignOut) localStorage.setItem(SIGNED_OUT_KEY, 'true');
  localStorage.removeItem(STORAGE_KEY);
  store.set(undefined);
}

function hold(session: Session): void {
  clearTimeout(expiry);
  const left = (session.renewableUntilMs ?? session.expiresAtMs) - Date.now();
  if (!(left > 0)) {
    expireSession(session);
    return;
  }
  // Timers hold 32 bits of milliseconds; a longer one would fire at once.
  expiry = setTimeout(() => hold(session), Math.min(left, 2 ** 31 - 1));
  store.set(session);
}

/**
 * The session of the shown account; the first call also loads it. With another account in the wallet
 * there is none: its data must not appear to that account.
 */
export function shownSession(): Session | undefined {
  if (typeof window === 'undefined') return undefined;
  restoreSession();
  const session = store.get();
  return sameAddress(session?.address, visitorAddress()) ? session : undefined;
}

/** The token to send if the shown account is signed in. */
export function sessionToken(): string | undefined {
  return shownSession()?.token;
}

/** The session that the tabs of this browser share now. */
export function latestSession(): Session | undefined {
  restoreSession();
  read();
  return store.get();
}

function visitorAddress(): string | undefined {
  const { status, address } = walletStore.get();
  return status === 'unknown' ? rememberedWallet()?.address : address;
}

/** Which session requests belong to; a renewal does not change it. */
function sessionInUse(): string | undefined {
  const session = shownSession();
  return session?.id ?? session?.token;
}

/** Calls back whenever requests belong to another session, or to none. */
export function followSession(listener: () => void): () => void {
  let known = sessionInUse();
  const look = () => {
    const inUse = sessionInUse();
    if (inUse === known) return;
    known = inUse;
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
