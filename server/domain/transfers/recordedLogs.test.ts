import type { Hex, RpcLog } from 'viem';
import { beforeEach, expect, it } from 'vitest';
import type { ReceivedLogs } from './readBlocks.ts';
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

const told = (logs: Partial<ReceivedLogs>): ReceivedLogs => ({
  usdc: [],
  contracts: [],
  withdrawn: [],
  ...logs,
});

it('leaves out what is told as it was booked, in whichever order', () => {
  const [first, second] = [log('0x1', '0x0'), log('0x1', '0x1')];
  memory.note(told({ usdc: [first], contracts: [second] }), '0xa');
  expect(memory.unknown(told({ usdc: [first], contracts: [second] }))).toEqual(told({}));
  expect(memory.unknown(told({ contracts: [second], usdc: [first, first] }))).toEqual(told({}));
});

it('keeps the whole transaction when more, or less, of it is told', () => {
  const [first, second, other] = [log('0x1', '0x0'), log('0x1', '0x1'), log('0x2', '0x2')];
  memory.note(told({ usdc: [first, other] }), '0xa');
  const more = told({ usdc: [first, other], withdrawn: [second] });
  expect(memory.unknown(more)).toEqual(told({ usdc: [first], withdrawn: [second] }));
  memory.note(more, '0xa');
  expect(memory.unknown(told({ usdc: [first] }))).toEqual(told({ usdc: [first] }));
});

it('takes the same log in another block for another one', () => {
  memory.note(told({ contracts: [log('0x1', '0x0')] }), '0xa');
  const moved = told({ contracts: [log('0x1', '0x0', '0xb')] });
  expect(memory.unknown(moved)).toEqual(moved);
});

it('forgets after a minute, and at once when reading goes on elsewhere than it was left', () => {
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
