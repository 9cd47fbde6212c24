import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AddressBook,
  entryNamed,
  entryOf,
  MAX_NAME_LENGTH,
  MAX_RECENT,
  MAX_SAVED,
  nameProblem,
  normalizeName,
  readBook,
  recentIn,
  savedIn,
  toForget,
  wasSentTo,
  withEarlier,
  withName,
  without,
  withRestored,
  withSent,
} from './addressBook.ts';

const ANNA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BEN = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const numbered = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const BOTH: AddressBook = [
  { address: ANNA, name: 'Anna' },
  { address: BEN, sentAtMs: 5 },
];

describe('names', () => {
  it.each([
    ['', 'missing'],
    [' \n ', 'missing'],
    ['\u200d', 'missing'],
    ['a'.repeat(MAX_NAME_LENGTH + 1), 'too_long'],
    ['Anna\u202egro.live', 'unreadable'],
    ['An\u0000na', 'unreadable'],
    [BEN, 'like_an_address'],
    ['0x7099…79C8', 'like_an_address'],
    ['anna', 'taken'],
    [' ANNA ', 'taken'],
    ['An\u200dna', 'taken'],
  ])('%j is rejected: %s', (text, kind) => {
    expect(nameProblem(BOTH, BEN, text)?.kind).toBe(kind);
    expect(withName(BOTH, BEN, text)).toBe(BOTH);
  });

  it.each([
    'Ben',
    'a'.repeat(MAX_NAME_LENGTH),
    '🦊'.repeat(MAX_NAME_LENGTH),
    '0xBen',
    '<b>Ben</b>',
  ])('%j is accepted', (text) => {
    expect(nameProblem(BOTH, BEN, text)).toBeUndefined();
    expect(entryOf(withName(BOTH, BEN, `  ${text}\t`), BEN)?.name).toBe(text);
  });

  it('given a used name, returns its address', () => {
    expect(nameProblem(BOTH, BEN, 'anna')).toEqual({ kind: 'taken', by: BOTH[0] });
  });

  it('can change their capitalisation', () => {
    const renamed = withName(BOTH, ANNA.toLowerCase(), 'ANNA');
    expect(renamed).toEqual([{ address: ANNA, name: 'ANNA' }, BOTH[1]]);
  });

  it('resolve only by full name, ignoring case', () => {
    expect(entryNamed(BOTH, ' anna ')?.address).toBe(ANNA);
    for (const text of ['Ann', 'Anna B', 'nna', '']) expect(entryNamed(BOTH, text)).toBeUndefined();
  });

  it('are limited in number', () => {
    const full = Array.from({ length: MAX_SAVED }, (_, n) => n + 1).reduce<AddressBook>(
      (book, n) => withName(book, numbered(n), `Name ${n}`),
      [],
    );
    expect(savedIn(full)).toHaveLength(MAX_SAVED);
    expect(nameProblem(full, ANNA, 'Anna')?.kind).toBe('book_full');
    expect(nameProblem(full, numbered(1), 'Anna')).toBeUndefined();
  });
});

describe('sending', () => {
  it('is the only way to mark an address as used', () => {
    expect(wasSentTo(BOTH, ANNA)).toBe(false);
    expect(wasSentTo(withSent(BOTH, ANNA.toLowerCase(), 9), ANNA)).toBe(true);
    expect(wasSentTo(withName(BOTH, numbered(1), 'New'), numbered(1))).toBe(false);
    expect(wasSentTo(withName(BOTH, BEN, 'Ben'), BEN)).toBe(true);
  });

  it('moves the address to the front and keeps its name', () => {
    expect(withSent(BOTH, BEN.toLowerCase(), 9)).toEqual([{ address: BEN, sentAtMs: 9 }, BOTH[0]]);
    expect(withSent(BOTH, ANNA, 9)[0]).toEqual({ address: ANNA, name: 'Anna', sentAtMs: 9 });
  });

  it('keeps all named addresses and the most recent others', () => {
    const many = Array.from({ length: 20 }, (_, n) => n + 1).reduce<AddressBook>(
      (book, n) => withSent(book, numbered(n), n),
      BOTH,
    );
    expect(recentIn(many).map(({ sentAtMs }) => sentAtMs)).toEqual([
      20, 19, 18, 17, 16, 15, 14, 13,
    ]);
    expect(savedIn(many)).toEqual([BOTH[0]]);
  });
});

describe('forgetting', () => {
  it('can be undone at the same position', () => {
    const dropped = toForget(BOTH, BEN);
    expect(without(BOTH, BEN.toLowerCase())).toEqual([BOTH[0]]);
    expect(dropped && withRestored(without(BOTH, BEN), dropped)).toEqual(BOTH);
    expect(toForget(BOTH, numbered(1))).toBeUndefined();
  });

  it('cannot be undone over later changes', () => {
    const dropped = { entry: { address: ANNA, name: 'Anna' }, index: 0 };
    const since: AddressBook = [{ address: ANNA, sentAtMs: 3 }];
    expect(withRestored(since, dropped)).toBe(since);
    const taken: AddressBook = [{ address: BEN, name: 'ANNA' }];
    expect(withRestored(taken, dropped)).toBe(taken);
  });
});

describe('entries stored before names existed', () => {
  it('are kept with an unknown send time', () => {
    expect(withEarlier([], [ANNA, BEN, ANNA.toLowerCase()])).toEqual([
      { address: ANNA, sentAtMs: 0 },
      { address: BEN, sentAtMs: 0 },
    ]);
  });

  it('merge into a book without overwriting newer data', () => {
    const joined = withEarlier(BOTH, [BEN, ANNA, numbered(1)]);
    expect(joined).toEqual([
      { address: ANNA, name: 'Anna', sentAtMs: 0 },
      { address: BEN, sentAtMs: 5 },
      { address: numbered(1), sentAtMs: 0 },
    ]);
    expect(withEarlier(BOTH, ['javascript:alert(1)', '', '0x12'])).toBe(BOTH);
  });
});

describe('readBook', () => {
  it('reads a written book', () => {
    expect(readBook(JSON.parse(JSON.stringify(BOTH)))).toEqual(BOTH);
    expect(readBook([])).toEqual([]);
  });

  it.each([
    ['no list', { 0: BOTH[0], length: 1 }],
    ['a list of texts', [ANNA]],
    ['null', [null]],
    ['no address', [{ name: 'Anna' }]],
    ['no good address', [{ address: `${ANNA}0`, name: 'Anna' }]],
    ['neither name nor time', [{ address: ANNA }]],
    ['a name that is none', [{ address: ANNA, name: { toString: 'x' } }]],
    ['a name that is not tidy', [{ address: ANNA, name: ' Anna' }]],
    ['a name with a direction', [{ address: ANNA, name: 'Anna\u202e' }]],
    ['a name too long', [{ address: ANNA, name: 'a'.repeat(100_000) }]],
    ['an address twice', [BOTH[0], { address: ANNA.toLowerCase(), name: 'Other' }]],
    ['a name twice', [BOTH[0], { address: BEN, name: 'aNNA' }]],
    ['a time before all', [{ address: ANNA, sentAtMs: -1 }]],
    ['a time no date has', [{ address: ANNA, sentAtMs: 8_640_000_000_000_001 }]],
    ['a time as text', [{ address: ANNA, sentAtMs: '5' }]],
    [
      'more than fit',
      Array.from({ length: MAX_RECENT + 1 }, (_, n) => ({ address: numbered(n), sentAtMs: 1 })),
    ],
  ])('ignores %s', (_what, value) => {
    expect(readBook(value)).toBeUndefined();
  });

  it('drops unknown fields', () => {
    expect(readBook([{ ...BOTH[0], onClick: 'x', __proto__: null }])).toEqual([BOTH[0]]);
  });

  it('never throws, and reading the result again changes nothing', () => {
    const entries = fc.record(
      {
        address: fc.oneof(fc.constantFrom(ANNA, BEN), fc.anything()),
        name: fc.oneof(fc.string({ unit: 'grapheme' }), fc.anything()),
        sentAtMs: fc.oneof(fc.nat(), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(entries)), (value) => {
        const book = readBook(value);
        if (book) expect(readBook(structuredClone(book))).toEqual(book);
      }),
    );
  });
});

describe('given any sequence of actions', () => {
  const addresses = fc.oneof(
    fc.integer({ min: 1, max: 30 }).map(numbered),
    fc.constantFrom(ANNA, ANNA.toLowerCase(), BEN, 'no address'),
  );
  const names = fc.oneof(
    fc.constantFrom('Anna', 'ANNA', 'Ben', ' ben '),
    fc.string({ unit: 'binary', maxLength: 45 }),
  );
  const acts = fc.oneof(
    fc.tuple(addresses, names).map(
      ([at, name]) =>
        (book: AddressBook) =>
          withName(book, at, name),
    ),
    fc.tuple(addresses, fc.nat()).map(
      ([at, ms]) =>
        (book: AddressBook) =>
          withSent(book, at, ms),
    ),
    addresses.map((at) => (book: AddressBook) => without(book, at)),
    fc.array(addresses).map((texts) => (book: AddressBook) => withEarlier(book, texts)),
    addresses.map((at) => (book: AddressBook) => {
      const dropped = toForget(book, at);
      return dropped ? withRestored(without(book, at), dropped) : book;
    }),
  );

  it('the book stays readable and each name resolves to its address', () => {
    fc.assert(
      fc.property(fc.array(acts, { maxLength: 60 }), (all) => {
        const book = all.reduce<AddressBook>((before, act) => act(before), []);
        expect(readBook(JSON.parse(JSON.stringify(book)))).toEqual(book);
        for (const { address, name } of savedIn(book)) {
          expect(entryNamed(book, (name ?? '').toLowerCase())?.address).toBe(address);
        }
      }),
    );
  });

  it('only sending marks an address as used', () => {
    fc.assert(
      fc.property(fc.array(acts), addresses, names, (all, address, name) => {
        const book = all.reduce<AddressBook>((before, act) => act(before), []);
        expect(wasSentTo(withName(book, address, name), address)).toBe(wasSentTo(book, address));
      }),
    );
  });

  it('removing and restoring changes nothing', () => {
    fc.assert(
      fc.property(fc.array(acts), addresses, (all, address) => {
        const book = all.reduce<AddressBook>((before, act) => act(before), []);
        const dropped = toForget(book, address);
        if (dropped) expect(withRestored(without(book, address), dropped)).toEqual(book);
      }),
    );
  });

  it('normalizing a name twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalizeName(normalizeName(text))).toBe(normalizeName(text));
      }),
    );
  });
});
