import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { abandonedRequest } from './abandonedRequest.ts';
import { NO_WALLET, walletStore } from './walletStore.ts';
import { withWalletTimeout } from './walletTimeout.ts';

const connected = {
  status: 'connected',
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  chainId: 8453,
  walletName: 'A wallet',
} as const;
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  walletStore.set(connected);
});

afterEach(() => {
  vi.useRealTimers();
  walletStore.set(NO_WALLET);
});

it('returns the wallet’s response', async () => {
  await expect(withWalletTimeout(Promise.resolve('0x1'))).resolves.toBe('0x1');
});

it('gives up an unresponsive wallet', async () => {
  const asked = expect(withWalletTimeout(never())).rejects.toMatchObject({ problem: 'timed_out' });
  await vi.advanceTimersByTimeAsync(120_000);
  await asked;
});

it('gives up a wallet that disconnects or switches accounts, not one that changes network', async () => {
  const asked = withWalletTimeout(never());
  const isOver = expect(asked).rejects.toMatchObject({ problem: 'disconnected' });
  walletStore.set({ ...connected, chainId: 1 });
  expect(abandonedRequest.get()).toBeUndefined();
  walletStore.set(NO_WALLET);
  await isOver;
  // The requesting component may be gone with the wallet: the outcome is stored until the next
  // request.
  expect(abandonedRequest.get()).toContain('disconnected or switched accounts');
  await withWalletTimeout(Promise.resolve('0x1'));
  expect(abandonedRequest.get()).toBeUndefined();
});

it('does not time out a wallet that is still connecting', async () => {
  walletStore.set(NO_WALLET);
  const asked = withWalletTimeout(
    new Promise<string>((resolve) => {
      setTimeout(() => resolve('connected'), 1_000);
    }),
  );
  walletStore.set(connected);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(asked).resolves.toBe('connected');
});
