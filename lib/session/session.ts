import { sameAddress } from '#lib/format/address.ts';
import { createStore, useStore } from '#lib/store.ts';

/**
 * The sign-in: a token that says which wallet is signed in, kept over reloads and dropped by
 * itself at the moment it expires.
 */
export type Session = {
  token: string;
  address: `0x${string}`;
  expiresAtMs: number;
  /** What the service knows it by; absent from sign-ins that are older than this. */
  id?: string | undefined;
};

const STORAGE_KEY = 'crossbook.session';
const store = createStore<Session | undefined>(undefined);
let expiry: ReturnType<typeof setTimeout> | undefined;

let isRestored = false;

/** Loads the session of the last visit, once, and follows from then on what other tabs do. */
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

/** The token to send along, if someone is signed in; also when this is the first to ask. */
export function sessionToken(): string | undefined {
  if (typeof window !== 'undefined') restoreSession();
  return store.get()?.token;
}

/** Calls back whenever someone signs in, renews or leaves. */
export function followSession(listener: () => void): () => void {
  return store.subscribe(listener);
}

/** The session of this wallet; another wallet's session counts as none. */
export function useSession(address: string | undefined): Session | undefined {
  const session = useStore(store, undefined);
  return sameAddress(session?.address, address) ? session : undefined;
}
