import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTransactionJournal } from '#sandbox/chain/transactionJournal.ts';
import { mountSmallDisk, type SmallDisk } from '#sandbox/testing/smallDisk.ts';
import { writeWhole } from './atomicFile.ts';
import { explainFullDisk, requireRoom } from './disk.ts';
import { appendToLog, truncateLog } from './logFile.ts';

/** Writes on a disk that is really full. */

let disk: SmallDisk;
const file = (name: string) => join(disk.path, name);

beforeAll(() => {
  disk = mountSmallDisk(24);
});
afterAll(() => disk.remove());
beforeEach(() => () => disk.free());

test('given no room, a file is unchanged and no other is left behind', () => {
  writeWhole(file('kept'), 'before');
  disk.fill();
  expect(() => writeWhole(file('kept'), 'x'.repeat(9_000))).toThrow('ENOSPC');
  expect(() => writeWhole(file('new'), 'x'.repeat(9_000))).toThrow('ENOSPC');
  expect(readFileSync(file('kept'), 'utf8')).toBe('before');
  expect(readdirSync(disk.path).toSorted()).toEqual(['filler', 'kept']);
  disk.free();
  writeWhole(file('kept'), 'after');
  expect(readFileSync(file('kept'), 'utf8')).toBe('after');
  expect(statSync(file('kept')).mode & 0o777).toBe(0o600);
});

test('given no room, the chain’s journal rejects new records and keeps the others', () => {
  const journal = openTransactionJournal(file('journal.jsonl'));
  journal.record('eth_sendRawTransaction', ['0x01']);
  disk.fill();
  // Larger than the rest of the last page, so that its beginning still fits.
  const large = `0x${'02'.repeat(9_000)}`;
  expect(() => journal.record('eth_sendRawTransaction', [large])).toThrow('ENOSPC');
  disk.free();
  journal.record('eth_sendRawTransaction', ['0x03']);
  const kept = [journal, openTransactionJournal(file('journal.jsonl'))].map((one) =>
    one.recent().map(({ params }) => params),
  );
  expect(kept).toEqual([
    [['0x01'], ['0x03']],
    [['0x01'], ['0x03']],
  ]);
});

test('given no room for a copy, a long log is cut and no process ends', () => {
  writeFileSync(file('web.log'), Buffer.alloc(17 * 2 ** 20, 'x'));
  disk.fill();
  appendToLog(file('web.log'), 'more');
  truncateLog(file('web.log'));
  expect(statSync(file('web.log')).size).toBe(0);
  expect(existsSync(file('web.log.1'))).toBe(false);
});

test('given too little room, a start fails early', () => {
  expect(() => requireRoom(disk.path, 1)).not.toThrow();
  disk.fill();
  expect(() => requireRoom(disk.path, 1)).toThrow(/has 0 MiB left; a start here needs 1 MiB/);
});

test('given any disk-full error, names it as the cause', () => {
  const full = [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    new Error('PANIC:  could not write to file: No space left on device'),
    new Error('outer', { cause: new Error('database or disk is full') }),
  ];
  for (const error of full) {
    expect(explainFullDisk(error, '/data')).toMatchObject({
      message: expect.stringContaining('disk of /data is full'),
      cure: expect.stringContaining('Make room'),
    });
  }
  const other = new Error('a mistake of ours');
  expect(explainFullDisk(other, '/data')).toBe(other);
});
