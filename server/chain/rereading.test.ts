import { beforeEach, describe, expect, test } from 'vitest';
import { createRereading, type Rereading } from './rereading.ts';

let clock = 0;
let rereading: Rereading;

beforeEach(() => {
  clock = 0;
  rereading = createRereading(() => clock);
});

/** Reads from one block to another; returns the first block read. */
function read(current: bigint, to: bigint): bigint {
  const from = rereading.firstBlock(current, 500n);
  rereading.recordReading({ newAfter: current, to });
  return from;
}

/** A reader that has read everything up to a block, long ago. */
function standAt(block: bigint): void {
  read(block, block);
  rereading.recordEnd();
  clock += 60_000;
}

describe('the first block', () => {
  test('is well before the last block of an earlier reader', () => {
    expect(rereading.firstBlock(1_000n, 500n)).toBe(745n);
  });

  test('is never before the chain’s first block, nor farther back than allowed', () => {
    expect(rereading.firstBlock(10n, 500n)).toBe(1n);
    expect(rereading.firstBlock(1_000n, 2n)).toBe(999n);
  });

  test('is a little before the position once everything was read long ago', () => {
    standAt(1_000n);
    expect(rereading.firstBlock(1_000n, 500n)).toBe(977n);
  });

  test('is that of the previous read, for any number of blocks', () => {
    standAt(1_000n);
    read(1_000n, 1_300n);
    clock += 100;
    expect(read(1_300n, 1_310n)).toBe(1_001n);
    clock += 100;
    expect(read(1_310n, 1_311n)).toBe(1_287n);
  });

  test('includes all blocks newer than twenty seconds every two seconds', () => {
    standAt(1_000n);
    read(1_000n, 1_300n);
    for (let block = 1_300n; block < 1_309n; block += 1n) {
      clock += 2_000;
      expect(read(block, block + 1n)).toBe(1_001n);
      clock += 10;
      expect(read(block + 1n, block + 1n)).toBeGreaterThan(1_200n);
    }
    clock += 2_000;
    expect(read(1_309n, 1_309n)).toBeGreaterThan(1_200n);
  });

  test('leaves room for new blocks', () => {
    standAt(1_000n);
    read(1_000n, 1_800n);
    expect(rereading.firstBlock(1_800n, 500n)).toBe(1_301n);
  });
});

describe('reading again without a new block', () => {
  test('is due every two seconds for twenty seconds', () => {
    standAt(1_000n);
    expect(rereading.isDue()).toBe(false);
    read(1_000n, 1_001n);
    const due: number[] = [];
    for (const begun = clock; clock < begun + 30_000; clock += 500) {
      if (!rereading.isDue()) continue;
      due.push(clock - begun);
      read(1_001n, 1_001n);
    }
    expect(due).toEqual([2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000, 16_000, 18_000]);
  });
});
