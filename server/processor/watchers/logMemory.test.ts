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

it('tells what was stored a moment ago from what was not', () => {
  const [first, second] = [logAt('0xa', 0), logAt('0xa', 1)];
  memory.note([first]);
  expect(memory.unknown([logAt('0xa', 0), second])).toEqual([second]);
});

it('takes the same place in another block for another log', () => {
  memory.note([logAt('0xa', 0)]);
  const moved = logAt('0xb', 0);
  expect(memory.unknown([moved])).toEqual([moved]);
});

it('forgets soon enough for the next reading of everything new, two seconds later', () => {
  const log = logAt('0xa', 0);
  memory.note([log]);
  clock = 1_000;
  const later = logAt('0xb', 0);
  memory.note([later]);
  expect(memory.unknown([log, later])).toEqual([]);
  clock = 2_000;
  expect(memory.unknown([log, later])).toEqual([log]);
});

it('remembers nothing once something was forgotten', () => {
  const log = logAt('0xa', 0);
  memory.note([log]);
  memory.clear();
  expect(memory.unknown([log])).toEqual([log]);
});
