// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import {
  forgetWallet,
  NO_WALLET,
  rememberWallet,
  UNKNOWN_WALLET,
  walletStore,
} from '#lib/browser/wallet/walletStore.ts';
import { beginSession, endSession, followSession, sessionToken } from './session.ts';

const MINE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x00000000000000000000000000000000000000Aa';
const chosen = (address: `0x${string}`) =>
  walletStore.set({ ...NO_WALLET, status: 'connected', address });

beforeEach(() => {
  endSession();
  forgetWallet();
  walletStore.set(UNKNOWN_WALLET);
});

const signIn = () =>
  beginSession({ token: 'mine', address: MINE, expiresAtMs: Date.now() + 60_000 });

it('sends only the token of the shown account', () => {
  signIn();
  chosen(MINE);
  expect(sessionToken()).toBe('mine');
  chosen(OTHER);
  expect(sessionToken()).toBeUndefined();
  walletStore.set(NO_WALLET);
  expect(sessionToken()).toBeUndefined();
  chosen(MINE);
  expect(sessionToken()).toBe('mine');
});

it('knows the account before the wallet reconnects', () => {
  signIn();
  expect(sessionToken()).toBeUndefined();
  rememberWallet({ address: MINE, walletName: 'A wallet' });
  expect(sessionToken()).toBe('mine');
});

it('notifies only when the token changes', () => {
  signIn();
  chosen(MINE);
  const received = vi.fn();
  const stop = followSession(received);
  walletStore.set({ ...walletStore.get(), chainId: 1 });
  expect(received).not.toHaveBeenCalled();
  chosen(OTHER);
  expect(received).toHaveBeenCalledTimes(1);
  chosen(MINE);
  endSession();
  expect(received).toHaveBeenCalledTimes(3);
  stop();
  signIn();
  expect(received).toHaveBeenCalledTimes(3);
});

it('given an expired session, remembers that until the next sign-in', () => {
  const expired = (): unknown =>
    JSON.parse(localStorage.getItem('crossbook.sessionExpired') ?? '""');
  signIn();
  endSession({ isSignOut: true });
  expect(expired()).toBe('');
  beginSession({ token: 'mine', address: MINE, expiresAtMs: Date.now() - 1 });
  expect(expired()).toBe(MINE);
  signIn();
  expect(expired()).toBe('');
});
