import { expect, test } from 'vitest';
import { createFrequentStatements } from './preparingClient.ts';

function ask(statements: ReturnType<typeof createFrequentStatements>, text: string, times: number) {
  return Array.from({ length: times }, () => statements.nameOf(text)).at(-1);
}

test('a frequent statement gets a name, and keeps it', () => {
  const statements = createFrequentStatements();
  expect(ask(statements, 'select 1', 11)).toBe(undefined);
  const name = statements.nameOf('select 1');
  expect(name).toMatch(/^crossbook_/);
  expect(ask(statements, 'select 2', 12)).not.toBe(name);
  expect(statements.nameOf('select 1')).toBe(name);
});

test('rare statements do not fill the memory, and the number of names is limited', () => {
  const statements = createFrequentStatements();
  ask(statements, 'select often', 11);
  for (let index = 0; index < 1_000; index += 1) statements.nameOf(`select ${index}`);
  expect(statements.nameOf('select often')).toBe(undefined);
  const names = Array.from({ length: 200 }, (_, index) => ask(statements, `update ${index}`, 12));
  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(150);
});
