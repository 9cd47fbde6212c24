import { beforeEach, expect, it } from 'vitest';
import type { Move } from '#server/chain/holdings.ts';
import { createTransferTail, type TransferSource } from './transferTail.ts';

let stored: Move[];
const source: TransferSource = {
  latest: async () => stored.at(-1)?.blockNumber ?? 0n,
  listAfter: async (block) => stored.filter((one) => one.blockNumber > block),
};

const move = (blockNumber: bigint, address: string): Move => ({
  key: `${blockNumber} ${address}`,
  blockNumber,
  addresses: [address],
});

beforeEach(() => {
  stored = [move(1n, 'a'), move(2n, 'b')];
});

it('sends each movement once, also one that is read late, and none from before', async () => {
  const tail = createTransferTail(source);
  await tail.begin();
  stored.push(move(40n, 'c'));
  expect([...(await tail.next())]).toEqual(['c']);
  stored.push(move(39n, 'd'));
  expect([...(await tail.next())]).toEqual(['d']);
  expect([...(await tail.next())]).toEqual([]);
});

it('begins anew after a reset', async () => {
  const tail = createTransferTail(source);
  await tail.next();
  stored.push(move(3n, 'c'));
  tail.reset();
  expect([...(await tail.next())]).toEqual([]);
});
