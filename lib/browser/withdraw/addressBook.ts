import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import { sameAddress } from '#lib/format/address.ts';

/** A known address: it has a name, was sent to, or both. */
export type BookEntry = {
  readonly address: string;
  /** The normalised name; unique without regard to case. */
  readonly name?: string;
  /**
   * Time of the last transfer to it, in milliseconds; 0 means before times were stored, absent
   * means never.
   */
  readonly sentAtMs?: number;
};

/** The known addresses; the most recently saved or used one is first. */
export type AddressBook = readonly BookEntry[];

export const MAX_SAVED = SAVED_LIMITS.contact;
export const MAX_RECENT = SAVED_LIMITS.recipient;
export const MAX_NAME_LENGTH = 40;

/** The last millisecond that a `Date` can hold. */
const LAST_MS = 8_640_000_000_000_000;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Normalises a name: one spelling of each letter, single spaces, none at the ends. */
export function normalizeName(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/** A key that is equal for names that look the same to a reader. */
function nameKey(name: string): string {
  return normalizeName(name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')).toLowerCase();
}

export type NameProblem =
  | { kind: 'missing' | 'too_long' | 'unreadable' | 'like_an_address' | 'book_full' }
  /** Another address already has the name. */
  | { kind: 'taken'; by: BookEntry };

/** Direction marks and the like would disguise the text; joiners are part of some scripts. */
const UNREADABLE = /(?![\u200c\u200d])\p{C}/u;
const LIKE_AN_ADDRESS = /^0x[0-9a-f\s….]*$/iu;

/** Why the name is not allowed for this address; undefined when it is. */
export function nameProblem(
  book: AddressBook,
  address: string,
  text: string,
): NameProblem | undefined {
  const name = normalizeName(text);
  if (nameKey(name) === '') return { kind: 'missing' };
  if (LIKE_AN_ADDRESS.test(name)) return { kind: 'like_an_address' };
  if (Array.from(name).length > MAX_NAME_LENGTH) return { kind: 'too_long' };
  if (UNREADABLE.test(name)) return { kind: 'unreadable' };
  const by = entryNamed(book, name);
  if (by && !sameAddress(by.address, address)) return { kind: 'taken', by };
  const isSaved = entryOf(book, address)?.name !== undefined;
  if (!isSaved && savedIn(book).length >= MAX_SAVED) return { kind: 'book_full' };
  return undefined;
}

export const NAME_WORDS: Record<Exclude<NameProblem['kind'], 'taken'>, string> = {
  missing: 'Enter a name',
  too_long: `A name has at most ${MAX_NAME_LENGTH} characters`,
  unreadable: 'This name contains invisible characters. Type it instead of pasting it',
  like_an_address: 'A name cannot look like an address',
  book_full: `You can save up to ${MAX_SAVED} names. Remove one to add another`,
};

/** The entry of the address. */
export function entryOf(book: AddressBook, address: string): BookEntry | undefined {
  return book.find((entry) => sameAddress(entry.address, address));
}

/** The entry whose full name matches the text, ignoring case. */
export function entryNamed(book: AddressBook, text: string): BookEntry | undefined {
  const key = nameKey(text);
  return book.find(({ name }) => name !== undefined && nameKey(name) === key);
}

/** Whether funds were sent to it; a name alone does not prove an address. */
export function wasSentTo(book: AddressBook, address: string): boolean {
  return entryOf(book, address)?.sentAtMs !== undefined;
}

/** Named entries, newest first. */
export function savedIn(book: AddressBook): BookEntry[] {
  return book.filter(({ name }) => name !== undefined);
}

/** Unnamed entries, newest first. */
export function recentIn(book: AddressBook): BookEntry[] {
  return book.filter(({ name }) => name === undefined);
}

/**
 * Names or renames the address; a new address comes first. Unchanged if the name is not allowed.
 */
export function withName(book: AddressBook, address: string, text: string): AddressBook {
  if (!isAddress(address) || nameProblem(book, address, text)) return book;
  const name = normalizeName(text);
  if (!entryOf(book, address)) return [{ address, name }, ...book];
  return book.map((entry) => (sameAddress(entry.address, address) ? { ...entry, name } : entry));
}

/** Records a transfer to the address, which moves it to the front. */
export function withSent(book: AddressBook, address: string, atMs: number): AddressBook {
  if (!isAddress(address)) return book;
  const sent = { address, ...entryOf(book, address), sentAtMs: atMs };
  return bounded([sent, ...without(book, address)]);
}

/** The book without the address. */
export function without(book: AddressBook, address: string): AddressBook {
  return book.filter((entry) => !sameAddress(entry.address, address));
}

export type Forgotten = { entry: BookEntry; index: number };

/** The data for undoing a removal; undefined if the address is unknown. */
export function toForget(book: AddressBook, address: string): Forgotten | undefined {
  const index = book.findIndex((entry) => sameAddress(entry.address, address));
  const entry = book[index];
  return entry && { entry, index };
}

/** Restores a removed entry in its place; entries added since then stay. */
export function withRestored(book: AddressBook, { entry, index }: Forgotten): AddressBook {
  const { name } = entry;
  const canReturn = name === undefined || !nameProblem(book, entry.address, name);
  if (entryOf(book, entry.address) || !canReturn) return book;
  return bounded(book.toSpliced(index, 0, entry));
}

/** Merges addresses stored before names existed: all of them were sent to. */
export function withEarlier(book: AddressBook, texts: readonly string[]): AddressBook {
  const earlier = texts.filter(isAddress).slice(0, MAX_RECENT);
  if (earlier.length === 0) return book;
  const merged = book.map((entry) =>
    entry.sentAtMs === undefined && earlier.some((one) => sameAddress(one, entry.address))
      ? { ...entry, sentAtMs: 0 }
      : entry,
  );
  for (const address of earlier) {
    if (!entryOf(merged, address)) merged.push({ address, sentAtMs: 0 });
  }
  return bounded(merged);
}

/** All named entries, and the newest of the others. */
function bounded(book: AddressBook): AddressBook {
  const kept = recentIn(book).slice(0, MAX_RECENT);
  return book.filter((entry) => entry.name !== undefined || kept.includes(entry));
}

/** The stored book; undefined unless these functions could have written it. */
export function readBook(value: unknown): AddressBook | undefined {
  if (!Array.isArray(value) || value.length > MAX_SAVED + MAX_RECENT) return undefined;
  const book: BookEntry[] = [];
  for (const item of value) {
    const entry = readEntry(item);
    if (!entry || entryOf(book, entry.address)) return undefined;
    if (entry.name !== undefined && nameProblem(book, entry.address, entry.name)) return undefined;
    book.push(entry);
  }
  return recentIn(book).length > MAX_RECENT ? undefined : book;
}

function readEntry(value: unknown): BookEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { address, name, sentAtMs } = value as Partial<Record<keyof BookEntry, unknown>>;
  if (typeof address !== 'string' || !isAddress(address)) return undefined;
  if (name === undefined && sentAtMs === undefined) return undefined;
  const isName = name === undefined || (typeof name === 'string' && name === normalizeName(name));
  const isTime = sentAtMs === undefined || isMoment(sentAtMs);
  if (!isName || !isTime) return undefined;
  return {
    address,
    ...(name !== undefined && { name }),
    ...(sentAtMs !== undefined && { sentAtMs }),
  };
}

function isMoment(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LAST_MS;
}
