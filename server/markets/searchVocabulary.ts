import type { Database } from '../db/client.ts';
import { searchWords } from '../db/schema/markets.ts';

/** The words that events are found by, for correcting what was mistyped. */
export type Vocabulary = {
  /** Words by length, most frequent first. */
  byLength: Map<number, { word: string; eventCount: number }[]>;
  loadedAt: number;
};

const MAX_AGE_MS = 30_000;
const MAX_CORRECTIONS = 4;
/** Full-length words are forgiven the whole threshold; shorter ones in proportion. */
const FULL_LENGTH = 12;

const cache = new WeakMap<Database, Promise<Vocabulary>>();

/** The vocabulary, at most half a minute old. */
export async function loadVocabulary(database: Database): Promise<Vocabulary> {
  const known = cache.get(database);
  if (known && Date.now() - (await known).loadedAt < MAX_AGE_MS) return await known;
  const loading = readVocabulary(database);
  cache.set(database, loading);
  loading.catch(() => cache.delete(database));
  return await loading;
}

async function readVocabulary(database: Database): Promise<Vocabulary> {
  const rows = await database.orm.select().from(searchWords);
  const byLength: Vocabulary['byLength'] = new Map();
  for (const row of rows.sort((a, b) => b.eventCount - a.eventCount)) {
    const words = byLength.get(row.word.length);
    if (words) words.push(row);
    else byLength.set(row.word.length, [row]);
  }
  return { byLength, loadedAt: Date.now() };
}

/** Lower case, without accents, split into letters and digits: how words are stored and asked. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** How many typing errors a word of this length is forgiven. */
export function allowedErrors(length: number, fuzzyThreshold: number): number {
  if (length < 3) return 0;
  const inProportion = Math.floor((length * fuzzyThreshold) / FULL_LENGTH);
  return Math.min(Math.max(inProportion, fuzzyThreshold > 0 ? 1 : 0), 3);
}

/**
 * What the word may stand for: itself when anything begins with it, else the nearest words within
 * the errors it is forgiven. Empty when nothing is near.
 */
export function correct(vocabulary: Vocabulary, word: string, fuzzyThreshold: number): string[] {
  if (beginsAny(vocabulary, word)) return [word];
  const errors = allowedErrors(word.length, fuzzyThreshold);
  if (errors === 0) return [];
  const near: { word: string; distance: number; eventCount: number }[] = [];
  for (let length = word.length - errors; length <= word.length + errors; length += 1) {
    for (const candidate of vocabulary.byLength.get(length) ?? []) {
      const distance = editDistance(word, candidate.word, errors);
      if (distance <= errors) near.push({ ...candidate, distance });
    }
  }
  return near
    .sort((a, b) => a.distance - b.distance || b.eventCount - a.eventCount)
    .slice(0, MAX_CORRECTIONS)
    .map((candidate) => candidate.word);
}

function beginsAny(vocabulary: Vocabulary, prefix: string): boolean {
  for (const [length, words] of vocabulary.byLength) {
    if (length < prefix.length) continue;
    if (words.some(({ word }) => word.startsWith(prefix))) return true;
  }
  return false;
}

/** Insertions, deletions, replacements and swaps of neighbours; `max + 1` when there are more. */
export function editDistance(a: string, b: string, max: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      current.push(distance);
      smallest = Math.min(smallest, distance);
    }
    if (smallest > max) return max + 1;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.MAX_SAFE_INTEGER;
}
