import { expect, it, vi } from 'vitest';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderContext, VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { findLock, LATE_REQUEST_MS } from './findLock.ts';

const LOCKED = { kind: 'requested' } as VaultEvent;
const NONE = 0;
const OPEN = 1;

function lockOf(options: {
  event?: VaultEvent;
  request?: Pick<Operation, 'state' | 'failure'>;
  expiredMs?: number;
  status?: number;
  /** Of the transaction that had locked it; null where it is not on the chain. */
  receipt?: { status: '0x0' | '0x1'; blockNumber: `0x${string}` } | null;
}) {
  const client = {
    readContract: vi.fn(async () => options.status ?? NONE),
    request: vi.fn(async () => options.receipt ?? null),
    getBlockNumber: vi.fn(async () => 10n),
  };
  const chain = { client, confirmations: 3, contracts: { swapVault: '0x01' } };
  const where = async () => [{ hash: '0x03' }];
  const database = { orm: { select: () => ({ from: () => ({ where }) }) } };
  const expiresAt = new Date(Date.now() - (options.expiredMs ?? -60_000));
  const facts = {
    event: () => options.event,
    operation: () => options.request,
  } as unknown as OrderContext;
  const order = { chainOrderId: '0x02', expiresAt } as TradeOrder;
  return findLock({ chain, database } as unknown as StepDeps, order, facts);
}

it('stands while the vault has logged it, whatever became of the request', async () => {
  expect(await lockOf({ event: LOCKED })).toBe('stands');
  const request = { state: 'failed', failure: 'MarketSettled' } as const;
  expect(await lockOf({ event: LOCKED, request })).toBe('stands');
});

it.each(['ready', 'sent', 'succeeded'] as const)(
  'is awaited while the request is %s, also past the expiry',
  async (state) => {
    const request = { state, failure: null };
    expect(await lockOf({ request, expiredMs: 3_600_000 })).toBe('awaited');
  },
);

it('is lost with the last try, for the reason of the chain', async () => {
  const request = { state: 'failed', failure: 'MarketSettled' } as const;
  expect(await lockOf({ request })).toEqual({ lost: 'market_closed' });
});

it('is not lost while the vault knows the order', async () => {
  const request = { state: 'failed', failure: 'MarketSettled' } as const;
  expect(await lockOf({ request, status: OPEN })).toBe('awaited');
});

it('that the user must send is awaited until it can come no more', async () => {
  expect(await lockOf({ expiredMs: LATE_REQUEST_MS - 1_000 })).toBe('awaited');
  expect(await lockOf({ expiredMs: LATE_REQUEST_MS + 1_000 })).toEqual({
    lost: 'request_reverted',
  });
});

it('that the user sent is lost once its transaction has failed for sure', async () => {
  const reverted = { status: '0x0', blockNumber: '0x8' } as const;
  expect(await lockOf({ receipt: reverted })).toEqual({ lost: 'request_reverted' });
  expect(await lockOf({ receipt: { ...reverted, blockNumber: '0x9' } })).toBe('awaited');
  expect(await lockOf({ receipt: { ...reverted, status: '0x1' } })).toBe('awaited');
});
