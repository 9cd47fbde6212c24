import { readFile, stat } from 'node:fs/promises';

const RECHECK_MS = 10_000;

/**
 * The lines of a file, read again when it changes: one entry a line, `#` begins a comment. Throws
 * for an unreadable file, so that nothing passes without the check.
 */
export function openListFile(
  path: string,
  normalise: (entry: string) => string,
  now: () => number = Date.now,
): () => Promise<ReadonlySet<string>> {
  let entries: ReadonlySet<string> | undefined;
  let version = '';
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (entries && now() - checkedAt < RECHECK_MS) return entries;
    const { mtimeMs, size } = await stat(path);
    const found = `${mtimeMs} ${size}`;
    if (!entries || found !== version) {
      entries = parseList(await readFile(path, 'utf8'), normalise);
      version = found;
    }
    checkedAt = now();
    return entries;
  };
}

export function parseList(text: string, normalise: (entry: string) => string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(lines.filter((line) => line !== '').map(normalise));
}
