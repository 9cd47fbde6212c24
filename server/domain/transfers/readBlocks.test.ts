import { expect, test } from 'vitest';
import { withoutDuplicates } from './readBlocks.ts';

const log = (transactionHash: `0x${string}`, logIndex: number, blockNumber: bigint) => ({
  transactionHash,
  logIndex,
  blockNumber,
});

test('given a log returned twice, counts it once', () => {
  const logs = [log('0x01', 0, 7n), log('0x01', 1, 7n), log('0x02', 0, 7n)];
  expect(withoutDuplicates([...logs, ...logs])).toEqual(logs);
});

test('given a log returned for two blocks, counts it once, in the newer one', () => {
  expect(withoutDuplicates([log('0x01', 0, 7n), log('0x01', 0, 8n)])).toEqual([log('0x01', 0, 8n)]);
});
