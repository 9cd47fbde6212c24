import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDraft, readFields } from './draft.ts';

const ANNA = '0xAAAAaaaaAAAAaaaaAAAAaaaaAAAAaaaaAAAAaaaa';
const BEN = '0xbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbB';
const KEY = 'crossbook.draft.form';

function storage(entries = new Map<string, string>()) {
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

const draft = () => createDraft('form', (value) => readFields(value, ['amount', 'to']));

describe('a draft', () => {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', storage());
    return () => vi.unstubAllGlobals();
  });

  it('is restored for the wallet that typed it, regardless of address casing', () => {
    draft().keep(ANNA, { amount: '3', to: BEN });
    expect(draft().of(ANNA.toLowerCase())).toEqual({ amount: '3', to: BEN });
  });

  it('is hidden from other wallets', () => {
    draft().keep(ANNA, { amount: '3', to: '' });
    draft().keep(BEN, { amount: '4', to: '' });
    expect(draft().of(ANNA)?.amount).toBe('3');
    expect(draft().of(BEN)?.amount).toBe('4');
  });

  it('is deleted once the form is left', () => {
    draft().keep(ANNA, { amount: '3', to: '' });
    draft().drop();
    expect(draft().of(ANNA)).toBeUndefined();
  });

  it.each(['null', '7', 'no json', `{"${ANNA.toLowerCase()}":{"amount":3,"to":""}}`])(
    'given %s, counts as absent',
    (stored) => {
      sessionStorage.setItem(KEY, stored);
      expect(draft().of(ANNA)).toBeUndefined();
    },
  );

  it('given no storage, is skipped without an error', () => {
    const refuse = () => {
      throw new Error('denied');
    };
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    draft().keep(ANNA, { amount: '3', to: '' });
    draft().drop();
    expect(draft().of(ANNA)).toBeUndefined();
  });
});
