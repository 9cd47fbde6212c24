import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { writeWhole } from '#sandbox/process/atomicFile.ts';

/** A recorded request of a client. */
export type JournalEntry = { sequence: number; method: string; params: unknown; at: number };

/** Much longer than any interval between saves. */
const KEEP_MS = 60_000;
const COMPACT_AFTER_LINES = 2_000;

/**
 * The local chain's state is saved at intervals, so a kill loses recent requests. This journal
 * records each request before it is passed on; the next start sends the recent ones again, and the
 * chain rejects those it already has.
 */
export type TransactionJournal = {
  record(method: string, params: unknown): JournalEntry;
  /** The chain rejected it: it must not take effect later. */
  forget(entry: JournalEntry): void;
  /** Requests that the chain may have lost, in order of arrival. */
  recent(): JournalEntry[];
};

type Line = JournalEntry | { dropped: number };

export function openTransactionJournal(file: string): TransactionJournal {
  const entries = readEntries(file);
  let sequence = Math.max(0, ...entries.keys());
  let lines = entries.size;

  function append(line: Line): void {
    const size = existsSync(file) ? statSync(file).size : 0;
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      // A partial line from a full disk would corrupt the next one.
      if (existsSync(file)) truncateSync(file, size);
      throw error;
    }
    lines += 1;
    if (lines > COMPACT_AFTER_LINES) compact();
  }

  function compact(): void {
    const oldest = Date.now() - KEEP_MS;
    for (const [key, entry] of entries) if (entry.at < oldest) entries.delete(key);
    const kept = [...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`);
    writeWhole(file, kept.join(''));
    lines = entries.size;
  }

  return {
    record(method, params) {
      sequence += 1;
      const entry = { sequence, method, params, at: Date.now() };
      append(entry);
      entries.set(sequence, entry);
      return entry;
    },
    forget(entry) {
      entries.delete(entry.sequence);
      append({ dropped: entry.sequence });
    },
    recent() {
      const last = Math.max(0, ...[...entries.values()].map((entry) => entry.at));
      return [...entries.values()].filter((entry) => entry.at >= last - KEEP_MS);
    },
  };
}

function readEntries(file: string): Map<number, JournalEntry> {
  const entries = new Map<number, JournalEntry>();
  if (!existsSync(file)) return entries;
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parseLine(text);
    if (line === undefined) continue;
    if ('dropped' in line) entries.delete(line.dropped);
    else entries.set(line.sequence, line);
  }
  return entries;
}

/** A kill can truncate the last line; its request was never passed on or acknowledged. */
function parseLine(text: string): Line | undefined {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Line);
  } catch {
    return undefined;
  }
}
