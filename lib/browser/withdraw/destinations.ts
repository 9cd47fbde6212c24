import { sameAddress } from '#lib/format/address.ts';
import { createBrowserStore, readTexts } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';
import {
  type AddressBook,
  type Forgotten,
  readBook,
  toForget,
  wasSentTo,
  withEarlier,
  withName,
  without,
  withRestored,
  withSent,
} from './addressBook.ts';

const NO_ONE: AddressBook = [];
const store = createBrowserStore('crossbook.addressBook', NO_ONE, readBook);

/**
 * What was kept before addresses had names: those that were sent to, as texts. It is read together
 * with the book and emptied when the book is written. It stays its own: a tab that still runs the
 * version before writes it, and would not know what to do with a book.
 */
const NOWHERE: string[] = [];
const earlier = createBrowserStore('crossbook.destinations', NOWHERE, readTexts);

/** The addresses that this browser knows. Nobody else learns of them. */
export function useAddressBook(): AddressBook {
  return withEarlier(useStore(store, NO_ONE), useStore(earlier, NOWHERE));
}

function change(to: (book: AddressBook) => AddressBook): void {
  store.set(to(withEarlier(store.get(), earlier.get())));
  if (earlier.get().length > 0) earlier.set(NOWHERE);
}

/** Saves the address under the name, which must be free (`nameProblem`), or renames it. */
export function saveAddress(address: string, name: string): void {
  change((book) => withName(book, address, name));
}

/** Notes that something was sent to the address; where a browser keeps nothing, it does not. */
export function rememberDestination(address: string): void {
  try {
    change((book) => withSent(book, address, Date.now()));
  } catch {
    // What was sent is sent. As a failure it would be sent once more.
  }
}

/** Forgets the address, its name and that it was sent to; answers what takes that back. */
export function forgetAddress(address: string): Forgotten | undefined {
  const dropped = toForget(withEarlier(store.get(), earlier.get()), address);
  change((book) => without(book, address));
  return dropped;
}

/** Takes back that an address was forgotten. */
export function restoreAddress(dropped: Forgotten): void {
  change((book) => withRestored(book, dropped));
}

const END = 4;

function looks(address: string): string {
  const hex = address.toLowerCase();
  return `${hex.slice(2, 2 + END)} ${hex.slice(-END)}`;
}

/**
 * A known address that begins and ends like this one without being it: how somebody else's address
 * is slipped into a history.
 */
export function lookAlike(address: string, known: readonly string[]): string | undefined {
  if (known.some((one) => sameAddress(one, address))) return undefined;
  return known.find((one) => looks(one) === looks(address));
}

/**
 * The same against all that is known here. An address that was only saved is still compared with
 * the others: a name does not make the wrong address the right one.
 */
export function lookAlikeKnown(
  address: string,
  owner: string,
  book: AddressBook,
): string | undefined {
  if (sameAddress(address, owner) || wasSentTo(book, address)) return undefined;
  const others = without(book, address).map((entry) => entry.address);
  return lookAlike(address, [owner, ...others]);
}
