import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { abandoned } from './abandoned.ts';
import { withPatience } from './patience.ts';
import { NO_WALLET, walletStore } from './walletStore.ts';

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

it('hands on what the wallet answers', async () => {
  await expect(withPatience(Promise.resolve('0x1'))).resolves.toBe('0x1');
});

it('gives up a wallet that does not answer', async () => {
  const asked = expect(withPatience(never())).rejects.toMatchObject({ problem: 'timed_out' });
  await vi.advanceTimersByTimeAsync(120_000);
  await asked;
});

it('gives up a wallet that leaves or becomes another, not one that changes its network', async () => {
  const asked = withPatience(never());
  const isOver = expect(asked).rejects.toMatchObject({ problem: 'disconnected' });
  walletStore.set({ ...connected, chainId: 1 });
  expect(abandoned.get()).toBeUndefined();
  walletStore.set(NO_WALLET);
  await isOver;
  // Whoever asked may be gone with the wallet: what became of it is kept until the next question.
  expect(abandoned.get()).toContain('disconnected or switched accounts');
  await withPatience(Promise.resolve('0x1'));
  expect(abandoned.get()).toBeUndefined();
});

it('lets one that is only now being connected take its time', async () => {
  walletStore.set(NO_WALLET);
  const asked = withPatience(
    new Promise<string>((resolve) => {
      setTimeout(() => resolve('connected'), 1_000);
    }),
  );
  walletStore.set(connected);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(asked).resolves.toBe('connected');
});
