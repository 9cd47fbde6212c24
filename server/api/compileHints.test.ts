import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCompileHints } from './compileHints.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-hints-'));
const read = (file: string) => readFileSync(join(folder, 'chunks', file), 'utf8');

beforeAll(() => {
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'chunks', 'page.js'), 'start();');
  writeFileSync(join(folder, 'chunks', 'page.css'), 'a{}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('given build output, its scripts begin with the hint, once, and its styles stay as they are', async () => {
  await addCompileHints(folder);
  await addCompileHints(folder);
  expect(read('page.js')).toBe('//# allFunctionsCalledOnLoad\nstart();');
  expect(read('page.css')).toBe('a{}');
});
