import { checksumAddress } from 'viem';
import { expect, it } from 'vitest';
import { readBook } from '../withdraw/addressBook.ts';
import { bookOf, itemsOfBook } from './bookItems.ts';

const ANNA = checksumAddress(`0x${'a'.repeat(40)}`);
const BEN = checksumAddress(`0x${'b'.repeat(40)}`);

it('given a book, its items make the same book', () => {
  const book = [
    { address: ANNA, name: 'Anna', sentAtMs: 5 },
    { address: BEN, sentAtMs: 0 },
  ];
  expect(bookOf(itemsOfBook(book))).toEqual(book);
});

it('given a name from one device and a transfer from another, keeps both', () => {
  const items = [
    ...itemsOfBook([{ address: ANNA, sentAtMs: 7 }]),
    ...itemsOfBook([{ address: ANNA, name: 'Anna' }]),
  ];
  expect(bookOf(items)).toEqual([{ address: ANNA, name: 'Anna', sentAtMs: 7 }]);
});

it('given items that are no addresses, names or times, leaves them out', () => {
  const items = [
    { kind: 'contact', key: 'anna', value: 'Anna' },
    { kind: 'contact', key: ANNA.toLowerCase(), value: '0x12' },
    { kind: 'recipient', key: BEN.toLowerCase(), value: 'yesterday' },
  ] as const;
  expect(bookOf(items)).toEqual([]);
});

it('given one name for two addresses, numbers the later one, and the book can be stored', () => {
  const book = bookOf([
    ...itemsOfBook([{ address: ANNA, name: 'Bank' }]),
    ...itemsOfBook([{ address: BEN, name: 'bank' }]),
  ]);
  expect(book.map(({ name }) => name)).toEqual(['Bank', 'bank 2']);
  expect(readBook(book)).toEqual(book);
});
