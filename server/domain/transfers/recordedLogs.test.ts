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

const received = (logs: Partial<ReceivedLogs>): ReceivedLogs => ({
  usdc: [],
  contracts: [],
  withdrawn: [],
  ...logs,
});

it('leaves out what is told as it was booked, in whichever order', () => {
  const [first, second] = [log('0x1', '0x0'), log('0x1', '0x1')];
  memory.note(received({ usdc: [first], contracts: [second] }), '0xa');
  expect(memory.unknown(received({ usdc: [first], contracts: [second] }))).toEqual(received({}));
  expect(memory.unknown(received({ contracts: [second], usdc: [first, first] }))).toEqual(
    received({}),
  );
});

it('keeps the whole transaction when more, or less, of it is told', () => {
  const [first, second, other] = [log('0x1', '0x0'), log('0x1', '0x1'), log('0x2', '0x2')];
  memory.note(received({ usdc: [first, other] }), '0xa');
  const more = received({ usdc: [first, other], withdrawn: [second] });
  expect(memory.unknown(more)).toEqual(received({ usdc: [first], withdrawn: [second] }));
  memory.note(more, '0xa');
  expect(memory.unknown(received({ usdc: [first] }))).toEqual(received({ usdc: [first] }));
});

it('takes the same log in another block for another one', () => {
  memory.note(received({ contracts: [log('0x1', '0x0')] }), '0xa');
  const moved = received({ contracts: [log('0x1', '0x0', '0xb')] });
  expect(memory.unknown(moved)).toEqual(moved);
});

it('forgets after a minute, and at once when reading goes on elsewhere than it was left', () => {
  const logs = received({ usdc: [log('0x1', '0x0')] });
  memory.note(logs, '0xa');
  clock = 59_000;
  expect(memory.unknown(logs)).toEqual(received({}));
  clock = 60_000;
  expect(memory.unknown(logs)).toEqual(logs);
  memory.note(logs, '0xa');
  memory.goOnFrom('0xa');
  expect(memory.unknown(logs)).toEqual(received({}));
  memory.goOnFrom('0xb');
  expect(memory.unknown(logs)).toEqual(logs);
});
