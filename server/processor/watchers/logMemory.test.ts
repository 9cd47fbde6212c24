import type { Log } from 'viem';
import { beforeEach, expect, it } from 'vitest';
import { createLogMemory, type LogMemory } from './logMemory.ts';

let clock = 0;
let memory: LogMemory;

beforeEach(() => {
  clock = 0;
  memory = createLogMemory(() => clock);
});

function logAt(blockHash: string, logIndex: number): Log {
  return { blockHash, transactionHash: '0x1', logIndex } as unknown as Log;
}

it('distinguishes recently stored logs from new ones', () => {
  const [first, second] = [logAt('0xa', 0), logAt('0xa', 1)];
  memory.note([first]);
  expect(memory.unknown([logAt('0xa', 0), second])).toEqual([second]);
});

it('treats the same position in another block as another log', () => {
  memory.note([logAt('0xa', 0)]);
  const moved = logAt('0xb', 0);
  expect(memory.unknown([moved])).toEqual([moved]);
});

it('expires before the next full read of recent blocks, two seconds later', () => {
  const log = logAt('0xa', 0);
  memory.note([log]);
  clock = 1_000;
  const later = logAt('0xb', 0);
  memory.note([later]);
  expect(memory.unknown([log, later])).toEqual([]);
  clock = 2_000;
  expect(memory.unknown([log, later])).toEqual([log]);
});

it('is empty after logs were deleted', () => {
  const log = logAt('0xa', 0);
  memory.note([log]);
  memory.clear();
  expect(memory.unknown([log])).toEqual([log]);
});
