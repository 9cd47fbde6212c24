import { checksumAddress, type Hex } from 'viem';
import type { AddressBook, BookEntry } from '../withdraw/addressBook.ts';
import { isAddress, MAX_NAME_LENGTH, nameProblem, normalizeName } from '../withdraw/addressBook.ts';
import type { HeldItem } from './savedChanges.ts';

/**
 * A name and a transfer are items of their own: one device may name an address while another sends
 * to it.
 */
export function itemsOfBook(book: AddressBook): HeldItem[] {
  return book.flatMap(({ address, name, sentAtMs }): HeldItem[] => {
    const key = address.toLowerCase();
    return [
      ...(name === undefined ? [] : [{ kind: 'contact' as const, key, value: name }]),
      ...(sentAtMs === undefined
        ? []
        : [{ kind: 'recipient' as const, key, value: `${sentAtMs}` }]),
    ];
  });
}

/** The book of these items. Two devices may give one name twice; the later address is numbered. */
export function bookOf(items: readonly HeldItem[]): AddressBook {
  const entries = new Map<string, BookEntry>();
  for (const { kind, key, value } of items.filter(isReadable)) {
    const known = entries.get(key) ?? { address: checksumAddress(key as Hex) };
    const field = kind === 'contact' ? { name: value } : { sentAtMs: Number(value) };
    entries.set(key, { ...known, ...field });
  }
  const book: BookEntry[] = [];
  for (const entry of entries.values()) book.push(withFreeName(book, entry));
  return book;
}

/** A program may have stored anything; the browser could not read its book back. */
function isReadable({ kind, key, value }: HeldItem): boolean {
  if (!isAddress(key)) return false;
  return kind === 'contact'
    ? normalizeName(value) === value && nameProblem([], key, value) === undefined
    : /^\d{1,15}$/.test(value);
}

function withFreeName(book: AddressBook, entry: BookEntry): BookEntry {
  const { address, name } = entry;
  if (name === undefined || nameProblem(book, address, name)?.kind !== 'taken') return entry;
  for (let number = 2; ; number += 1) {
    const suffix = ` ${number}`;
    const next = `${name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;
    if (nameProblem(book, address, next)?.kind !== 'taken') return { ...entry, name: next };
  }
}
