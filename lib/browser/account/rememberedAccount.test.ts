// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

const OWNER = '0x00000000000000000000000000000000000000Aa';
const ACCOUNT = { owner: OWNER, smartAccountAddress: '0x00000000000000000000000000000000000000Bb' };

/** The module as a freshly opened page loads it. */
async function opened() {
  vi.resetModules();
  return await import('./rememberedAccount.ts');
}

beforeEach(() => localStorage.clear());

test('remembers the account of a wallet across visits until removed', async () => {
  (await opened()).storeAccount(ACCOUNT);
  const { forgetAccount, rememberedAccount } = await opened();
  expect(rememberedAccount(OWNER.toLowerCase())).toBe(ACCOUNT.smartAccountAddress);
  forgetAccount();
  expect(rememberedAccount(OWNER)).toBeUndefined();
  expect((await opened()).rememberedAccount(OWNER)).toBeUndefined();
});

test('returns nothing for another wallet', async () => {
  const { storeAccount, rememberedAccount } = await opened();
  storeAccount(ACCOUNT);
  expect(rememberedAccount('0x00000000000000000000000000000000000000Cc')).toBeUndefined();
  expect(rememberedAccount(undefined)).toBeUndefined();
});

test.each(['', 'null', '[]', '{', '{"owner":"0x12","smartAccountAddress":7}'])(
  'ignores an unreadable entry: %s',
  async (text) => {
    localStorage.setItem('crossbook.account', text);
    expect((await opened()).rememberedAccount(OWNER)).toBeUndefined();
  },
);
