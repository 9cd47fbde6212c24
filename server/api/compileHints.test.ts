import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCompileHints } from './compileHints.ts';

const LARGE = 'start();'.repeat(8_000);
const folder = mkdtempSync(join(tmpdir(), 'crossbook-hints-'));
const read = (file: string) => readFileSync(join(folder, 'chunks', file), 'utf8');

beforeAll(() => {
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'chunks', 'page.js'), LARGE);
  writeFileSync(join(folder, 'chunks', 'small.js'), 'start();');
  writeFileSync(join(folder, 'chunks', 'page.css'), 'a{}'.repeat(20_000));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('given build output, its large scripts begin with the hint, once', async () => {
  await addCompileHints(folder);
  await addCompileHints(folder);
  expect(read('page.js')).toBe(`//# allFunctionsCalledOnLoad\n${LARGE}`);
});

it('given small scripts and styles, they stay as they are', async () => {
  await addCompileHints(folder);
  expect(read('small.js')).toBe('start();');
  expect(read('page.css')).not.toContain('//#');
});
