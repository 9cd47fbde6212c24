import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTransactionJournal } from './transactionJournal.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'journal.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const sentBy = (journal: { recent(): { params: unknown }[] }) =>
  journal.recent().map((entry) => entry.params);

test('given a restart, keeps records in order', () => {
  const journal = openTransactionJournal(file);
  for (const raw of ['0x01', '0x02', '0x03']) journal.record('eth_sendRawTransaction', [raw]);
  expect(sentBy(openTransactionJournal(file))).toEqual([['0x01'], ['0x02'], ['0x03']]);
});

test('given a rejection by the chain, drops the record', () => {
  const journal = openTransactionJournal(file);
  const refused = journal.record('eth_sendRawTransaction', ['0x01']);
  journal.record('eth_sendRawTransaction', ['0x02']);
  journal.forget(refused);
  expect(sentBy(journal)).toEqual([['0x02']]);
  expect(sentBy(openTransactionJournal(file))).toEqual([['0x02']]);
});

test('given a truncated line, reads the following ones', () => {
  openTransactionJournal(file).record('eth_sendRawTransaction', ['0x01']);
  appendFileSync(file, '{"sequence":2,"meth');
  const reopened = openTransactionJournal(file);
  expect(sentBy(reopened)).toEqual([['0x01']]);
});

test('given any amount of traffic, stays small', () => {
  const journal = openTransactionJournal(file);
  for (let i = 0; i < 5_000; i += 1) journal.forget(journal.record('eth_sendRawTransaction', [i]));
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(2_100);
});
