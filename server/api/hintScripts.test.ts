import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hintScripts } from './hintScripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-hints-'));
const chunks = join(folder, 'static', 'chunks');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what a page runs at once is marked, once, and libraries are not', async () => {
  mkdirSync(chunks, { recursive: true });
  const library = `var a="${'a'.repeat(70_000)}";`;
  writeFileSync(join(chunks, 'react.js'), library);
  writeFileSync(join(chunks, 'wallet.js'), library);
  writeFileSync(join(chunks, 'ticket.js'), 'var b;');
  writeFileSync(
    join(folder, 'build-manifest.json'),
    JSON.stringify({ rootMainFiles: ['static/chunks/react.js'] }),
  );
  await hintScripts(folder);
  await hintScripts(folder);
  const read = (name: string) => readFileSync(join(chunks, name), 'utf8');
  expect(read('react.js')).toBe(`//# allFunctionsCalledOnLoad\n${library}`);
  expect(read('ticket.js')).toBe('//# allFunctionsCalledOnLoad\nvar b;');
  expect(read('wallet.js')).toBe(library);
});
