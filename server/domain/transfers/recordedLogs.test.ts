import type { Hex, RpcLog } from 'viem';
import { beforeEach, expect, it } from 'vitest';
import type { ReceivedLogs } from './readBlocks.ts';
import { createRecordedLogs, type RecordedLogs } from './recordedLogs.ts';

let clock = 0;
let memory: RecordedLogs;

beforeEach(() => {
  clock = 0;
  memory = createRecordedLogs(() => clock);
});

function log(transactionHash: Hex, logIndex: Hex, blockHash: Hex = '0xa'): RpcLog {
  return { transactionHash, logIndex, blockHash } as RpcLog;
}

const received = (logs: Partial<ReceivedLogs>): ReceivedLogs => ({
  usdc: [],
  contracts: [],
  accounts: [],
  ...logs,
});

it('given logs in any order, skips those that are already recorded', () => {
  const [first, second] = [log('0x1', '0x0'), log('0x1', '0x1')];
  memory.note(received({ usdc: [first], contracts: [second] }), '0xa');
  expect(memory.unknown(received({ usdc: [first], contracts: [second] }))).toEqual(received({}));
  expect(memory.unknown(received({ contracts: [second], usdc: [first, first] }))).toEqual(
    received({}),
  );
});

it('keeps the whole transaction when more or fewer of its logs are returned', () => {
  const [first, second, other] = [log('0x1', '0x0'), log('0x1', '0x1'), log('0x2', '0x2')];
  memory.note(received({ usdc: [first, other] }), '0xa');
  const more = received({ usdc: [first, other], accounts: [second] });
  expect(memory.unknown(more)).toEqual(received({ usdc: [first], accounts: [second] }));
  memory.note(more, '0xa');
  expect(memory.unknown(received({ usdc: [first] }))).toEqual(received({ usdc: [first] }));
});

it('treats the same log in another block as a different one', () => {
  memory.note(received({ contracts: [log('0x1', '0x0')] }), '0xa');
  const moved = received({ contracts: [log('0x1', '0x0', '0xb')] });
  expect(memory.unknown(moved)).toEqual(moved);
});

it('deletes logs after a minute, and at once when reading resumes elsewhere', () => {
  const logs = received({ usdc: [log('0x1', '0x0')] });
  memory.note(logs, '0xa');
  clock = 59_000;
  expect(memory.unknown(logs)).toEqual(received({}));
  clock = 60_000;
  expect(memory.unknown(logs)).toEqual(logs);
  memory.note(logs, '0xa');
  memory.resumeAt('0xa');
  expect(memory.unknown(logs)).toEqual(received({}));
  memory.resumeAt('0xb');
  expect(memory.unknown(logs)).toEqual(logs);
});
