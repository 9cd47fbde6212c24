import { beforeEach, expect, it, vi } from 'vitest';
import type { Move } from '#server/chain/holdings.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createTransferTail } from './transferTail.ts';

const stored = vi.hoisted(() => ({ moves: [] as Move[] }));

vi.mock('#server/chain/holdings.ts', () => ({
  latestTokenTransfer: async () => 0n,
  listTokenTransfers: async () => [],
}));

vi.mock('../../transfers/usdcTransfers.ts', () => ({
  latestUsdcTransfer: async () => stored.moves.at(-1)?.blockNumber ?? 0n,
  listUsdcTransfers: async (_: unknown, after: bigint) =>
    stored.moves.filter((move) => move.blockNumber > after),
}));

const move = (blockNumber: bigint, address: string): Move => ({
  key: `${blockNumber} ${address}`,
  blockNumber,
  addresses: [address],
});

beforeEach(() => {
  stored.moves = [move(1n, 'a'), move(2n, 'b')];
});

it('sends each movement once, also one that is read late, and none from before', async () => {
  const tail = createTransferTail({ database: { orm: {} } as unknown as Database });
  await tail.begin();
  stored.moves.push(move(40n, 'c'));
  expect([...(await tail.next())]).toEqual(['c']);
  stored.moves.push(move(39n, 'd'));
  expect([...(await tail.next())]).toEqual(['d']);
  expect([...(await tail.next())]).toEqual([]);
});

it('begins anew after a reset', async () => {
  const tail = createTransferTail({ database: { orm: {} } as unknown as Database });
  await tail.next();
  stored.moves.push(move(3n, 'c'));
  tail.reset();
  expect([...(await tail.next())]).toEqual([]);
});
