import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The names that `error …;` declares in a source of ours. */
const declared = (source: string): string[] =>
  [...source.matchAll(/^\s*error (\w+)\(/gm)].map(([, name]) => name ?? '');

const read = (folder: string): string[] =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((file) => file.endsWith('.sol'))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8'));

test('every declared error of the contracts is expected by a test', () => {
  const tests = read('test').join('\n');
  const errors = read('src').flatMap(declared);
  expect(errors.length).toBeGreaterThan(50);
  const unmet = errors.filter((name) => !new RegExp(`\\.${name}\\.selector`).test(tests));
  expect(unmet).toEqual([]);
});
