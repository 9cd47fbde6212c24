import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { lastLines, rotateLog, truncateLog } from './logFile.ts';

let path: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-log-'));
  path = join(folder, 'web.log');
  return () => rmSync(folder, { recursive: true });
});

it('keeps the logs of the last three runs', () => {
  for (const run of ['1', '2', '3', '4', '5']) {
    rotateLog(path);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, run);
  }
  expect(['', '.1', '.2', '.3'].map((end) => readFileSync(path + end, 'utf8'))).toEqual([
    '5',
    '4',
    '3',
    '2',
  ]);
  expect(existsSync(`${path}.4`)).toBe(false);
});

it('given a log that grows too long, cuts it while its writer continues', () => {
  const writer = openSync(path, 'a');
  writeSync(writer, 'start\n');
  truncateLog(path);
  expect(readFileSync(path, 'utf8')).toBe('start\n');
  truncateSync(path, 17 * 1024 * 1024);
  truncateLog(path);
  writeSync(writer, 'later\n');
  closeSync(writer);
  expect(readFileSync(path, 'utf8')).toBe('later\n');
  expect(statSync(`${path}.1`).size).toBe(17 * 1024 * 1024);
});

it('returns the last lines of a long log', () => {
  for (let line = 1; line <= 5_000; line += 1) appendFileSync(path, `line ${line}\n`);
  expect(lastLines(path, 2)).toEqual(['line 4999', 'line 5000']);
  expect(lastLines(`${path}.missing`, 2)).toEqual([]);
});
