// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { REMEMBERED_WALLET_KEY } from '#lib/firstPaintScript.ts';
import { forgetWallet, rememberedWallet, rememberWallet } from './walletStore.ts';

const WALLET = {
  address: '0x00000000000000000000000000000000000000Aa',
  walletName: 'Rabby',
} as const;

beforeEach(() => forgetWallet());

test('remembers a wallet until removed', () => {
  rememberWallet(WALLET);
  expect(rememberedWallet()).toEqual(WALLET);
  forgetWallet();
  expect(rememberedWallet()).toBeUndefined();
});

test.each(['', 'null', '[]', '{"address":"0x12"}', '{"address":7}', '{'])(
  'ignores an unreadable entry: %s',
  (text) => {
    rememberWallet(WALLET);
    localStorage.setItem(REMEMBERED_WALLET_KEY, text);
    expect(rememberedWallet()).toBeUndefined();
    expect(localStorage.getItem(REMEMBERED_WALLET_KEY)).toBeNull();
  },
);
