import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTransactionJournal } from '#sandbox/chain/transactionJournal.ts';
import { mountSmallDisk, type SmallDisk } from '#sandbox/testing/smallDisk.ts';
import { writeWhole } from './atomicFile.ts';
import { explainFullDisk, requireRoom } from './disk.ts';
import { appendToLog, truncateLog } from './logFile.ts';

/** What is written where there is no room, on a disk that really is full. */

let disk: SmallDisk;
const file = (name: string) => join(disk.path, name);

beforeAll(() => {
  disk = mountSmallDisk(24);
});
afterAll(() => disk.remove());
beforeEach(() => () => disk.free());

test('a file is as it was, and nothing lies beside it', () => {
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

test('the journal of the chain refuses what it cannot keep, and keeps all the rest', () => {
  const journal = openTransactionJournal(file('journal.jsonl'));
  journal.record('eth_sendRawTransaction', ['0x01']);
  disk.fill();
  // More than is left of the last page, so that the beginning of it finds room.
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

test('a log that is too long is cut though there is no room for a copy, and ends nobody', () => {
  writeFileSync(file('web.log'), Buffer.alloc(17 * 2 ** 20, 'x'));
  disk.fill();
  appendToLog(file('web.log'), 'more');
  truncateLog(file('web.log'));
  expect(statSync(file('web.log')).size).toBe(0);
  expect(existsSync(file('web.log.1'))).toBe(false);
});

test('room is asked for before it is needed', () => {
  expect(() => requireRoom(disk.path, 1)).not.toThrow();
  disk.fill();
  expect(() => requireRoom(disk.path, 1)).toThrow(/has 0 MiB left; a start here needs 1 MiB/);
});

test('a full disk is named as the cause, whoever says so', () => {
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
