import type { Hex, RpcLog } from 'viem';
import { beforeEach, expect, it } from 'vitest';
import type { ToldLogs } from './readBlocks.ts';
import { type BookedLogs, createBookedLogs } from './recordedLogs.ts';

let clock = 0;
let memory: BookedLogs;

beforeEach(() => {
  clock = 0;
  memory = createBookedLogs(() => clock);
});

function log(transactionHash: Hex, logIndex: Hex, blockHash: Hex = '0xa'): RpcLog {
  return { transactionHash, logIndex, blockHash } as RpcLog;
}

const told = (logs: Partial<ToldLogs>): ToldLogs => ({
  usdc: [],
  contracts: [],
  withdrawn: [],
  ...logs,
});

it('given logs in any order, skips those that are already recorded', () => {
  const [first, second] = [log('0x1', '0x0'), log('0x1', '0x1')];
  memory.note(told({ usdc: [first], contracts: [second] }), '0xa');
  expect(memory.unknown(told({ usdc: [first], contracts: [second] }))).toEqual(told({}));
  expect(memory.unknown(told({ contracts: [second], usdc: [first, first] }))).toEqual(told({}));
});

it('keeps the whole transaction when more or fewer of its logs are returned', () => {
  const [first, second, other] = [log('0x1', '0x0'), log('0x1', '0x1'), log('0x2', '0x2')];
  memory.note(told({ usdc: [first, other] }), '0xa');
  const more = told({ usdc: [first, other], withdrawn: [second] });
  expect(memory.unknown(more)).toEqual(told({ usdc: [first], withdrawn: [second] }));
  memory.note(more, '0xa');
  expect(memory.unknown(told({ usdc: [first] }))).toEqual(told({ usdc: [first] }));
});

it('treats the same log in another block as a different one', () => {
  memory.note(told({ contracts: [log('0x1', '0x0')] }), '0xa');
  const moved = told({ contracts: [log('0x1', '0x0', '0xb')] });
  expect(memory.unknown(moved)).toEqual(moved);
});

it('deletes logs after a minute, and at once when reading resumes elsewhere', () => {
  const logs = told({ usdc: [log('0x1', '0x0')] });
  memory.note(logs, '0xa');
  clock = 59_000;
  expect(memory.unknown(logs)).toEqual(told({}));
  clock = 60_000;
  expect(memory.unknown(logs)).toEqual(logs);
  memory.note(logs, '0xa');
  memory.goOnFrom('0xa');
  expect(memory.unknown(logs)).toEqual(told({}));
  memory.goOnFrom('0xb');
  expect(memory.unknown(logs)).toEqual(logs);
});
