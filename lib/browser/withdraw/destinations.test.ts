// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AddressBook, readBook } from './addressBook.ts';
import { findLookalike, findLookalikeOf } from './destinations.ts';

const KNOWN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const OWNER = `0x${'d'.repeat(40)}`;
const LIKE_KNOWN = `0x7099${'0'.repeat(32)}79C8`;

describe('findLookalike', () => {
  it('finds an address that resembles a known one', () => {
    expect(findLookalike(LIKE_KNOWN, [KNOWN])).toBe(KNOWN);
  });

  it('ignores the known address itself and unrelated ones', () => {
    expect(findLookalike(KNOWN.toLowerCase(), [KNOWN])).toBeUndefined();
    expect(findLookalike(`0x${'1'.repeat(40)}`, [KNOWN])).toBeUndefined();
  });
});

describe('findLookalikeOf', () => {
  it.each([
    ['sent to', { address: KNOWN, sentAtMs: 1 }],
    ['only saved', { address: KNOWN, name: 'Anna' }],
  ])('compares with one that was %s', (_how, entry) => {
    expect(findLookalikeOf(LIKE_KNOWN, OWNER, [entry])).toBe(KNOWN);
  });

  it('compares with your own wallet', () => {
    expect(findLookalikeOf(LIKE_KNOWN, KNOWN, [])).toBe(KNOWN);
    expect(findLookalikeOf(KNOWN, KNOWN, [{ address: LIKE_KNOWN, name: 'Trap' }])).toBeUndefined();
  });

  it('keeps warning for a saved address until you have sent to it', () => {
    const saved: AddressBook = [
      { address: LIKE_KNOWN, name: 'Trap' },
      { address: KNOWN, sentAtMs: 1 },
    ];
    expect(findLookalikeOf(LIKE_KNOWN, OWNER, saved)).toBe(KNOWN);
    expect(findLookalikeOf(KNOWN, OWNER, saved)).toBeUndefined();
    const sent = saved.map((entry) => ({ ...entry, sentAtMs: 2 }));
    expect(findLookalikeOf(LIKE_KNOWN, OWNER, sent)).toBeUndefined();
  });
});

describe('stored destinations', () => {
  /** The module as a freshly loaded page has it. */
  const load = async () => {
    vi.resetModules();
    return import('./destinations.ts');
  };
  const kept = () => readBook(JSON.parse(localStorage.getItem('crossbook.addressBook') ?? 'null'));

  beforeEach(() => localStorage.clear());

  it('migrates entries of the previous version once', async () => {
    localStorage.setItem('crossbook.destinations', JSON.stringify([KNOWN, OTHER]));
    const { saveAddress } = await load();
    saveAddress(OTHER, 'Ben');
    expect(kept()).toEqual([
      { address: KNOWN, sentAtMs: 0 },
      { address: OTHER, name: 'Ben', sentAtMs: 0 },
    ]);
    expect(localStorage.getItem('crossbook.destinations')).toBe('[]');
  });

  it('adds entries that an old tab still writes', async () => {
    const { saveAddress, rememberDestination } = await load();
    saveAddress(KNOWN, 'Anna');
    const newValue = JSON.stringify([OTHER]);
    window.dispatchEvent(new StorageEvent('storage', { key: 'crossbook.destinations', newValue }));
    rememberDestination(KNOWN);
    expect(kept()).toEqual([
      { address: KNOWN, name: 'Anna', sentAtMs: expect.any(Number) },
      { address: OTHER, sentAtMs: 0 },
    ]);
  });

  it('does not restore removed entries unless undone', async () => {
    localStorage.setItem('crossbook.destinations', JSON.stringify([KNOWN, OTHER]));
    const { forgetAddress, restoreAddress } = await load();
    const dropped = forgetAddress(KNOWN);
    expect(kept()).toEqual([{ address: OTHER, sentAtMs: 0 }]);
    if (dropped) restoreAddress(dropped);
    expect(kept()).toEqual([
      { address: KNOWN, sentAtMs: 0 },
      { address: OTHER, sentAtMs: 0 },
    ]);
  });

  it('ignores invalid stored data', async () => {
    localStorage.setItem('crossbook.addressBook', '[{"address":"<img>","name":"Anna"}]');
    localStorage.setItem('crossbook.destinations', '["<img>", "javascript:alert(1)"]');
    const { saveAddress } = await load();
    saveAddress(KNOWN, 'Anna');
    expect(kept()).toEqual([{ address: KNOWN, name: 'Anna' }]);
  });

  it('lets a withdrawal succeed without storage', async () => {
    const { rememberDestination } = await load();
    const setItem = vi.fn(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.stubGlobal('localStorage', { getItem: () => null, setItem });
    expect(() => rememberDestination(KNOWN)).not.toThrow();
    expect(setItem).toHaveBeenCalled();
    vi.unstubAllGlobals();
  });
});
