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
 * Addresses stored before names existed: those that were sent to, as strings. They are read
 * together with the book and emptied when the book is written. The key stays separate: a tab that
 * still runs the previous version writes it and could not read a book.
 */
const NOWHERE: string[] = [];
const earlier = createBrowserStore('crossbook.destinations', NOWHERE, readTexts);

/** The addresses that this browser knows. */
export function useAddressBook(): AddressBook {
  return withEarlier(useStore(store, NO_ONE), useStore(earlier, NOWHERE));
}

/** The book outside React, for what shares it with the account's devices. */
export const knownAddresses = {
  get: () => withEarlier(store.get(), earlier.get()),
  replace: (book: AddressBook) => change(() => book),
  subscribe: (listener: () => void) => store.subscribe(listener),
};

function change(to: (book: AddressBook) => AddressBook): void {
  store.set(to(withEarlier(store.get(), earlier.get())));
  if (earlier.get().length > 0) earlier.set(NOWHERE);
}

/** Saves the address under the name, which must be free (`nameProblem`), or renames it. */
export function saveAddress(address: string, name: string): void {
  change((book) => withName(book, address, name));
}

/** Records a transfer to the address; without storage it does nothing. */
export function rememberDestination(address: string): void {
  try {
    change((book) => withSent(book, address, Date.now()));
  } catch {
    // The transfer has happened. Reported as a failure, it would be sent again.
  }
}

/** Removes the address with its name and history; returns the data for undoing it. */
export function forgetAddress(address: string): Forgotten | undefined {
  const dropped = toForget(withEarlier(store.get(), earlier.get()), address);
  change((book) => without(book, address));
  return dropped;
}

/** Undoes a removal. */
export function restoreAddress(dropped: Forgotten): void {
  change((book) => withRestored(book, dropped));
}

const END = 4;

function ends(address: string): string {
  const hex = address.toLowerCase();
  return `${hex.slice(2, 2 + END)} ${hex.slice(-END)}`;
}

/**
 * A known address that begins and ends like this one but differs: the pattern of address poisoning.
 */
export function findLookalike(address: string, known: readonly string[]): string | undefined {
  if (known.some((one) => sameAddress(one, address))) return undefined;
  return known.find((one) => ends(one) === ends(address));
}

/**
 * Compares with all known addresses. An address that was only saved is still compared: a name does
 * not make a wrong address right.
 */
export function findLookalikeOf(
  address: string,
  owner: string,
  book: AddressBook,
): string | undefined {
  if (sameAddress(address, owner) || wasSentTo(book, address)) return undefined;
  const others = without(book, address).map((entry) => entry.address);
  return findLookalike(address, [owner, ...others]);
}
