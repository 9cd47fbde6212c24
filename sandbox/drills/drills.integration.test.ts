import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hold } from './drill.ts';
import { DRILLS } from './drills.ts';

const RUNBOOKS = new URL('../../docs/runbooks/', import.meta.url);

test('every runbook has its drill', () => {
  const runbooks = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md');
  expect(DRILLS.map(({ name }) => `${name}.md`).toSorted()).toEqual(runbooks.toSorted());
});

test.each(DRILLS)(
  '$name follows its runbook',
  { tags: ['long'], timeout: 600_000 },
  async (drill) => {
    const said: string[] = [];
    await hold(drill, (line) => said.push(line));
    expect(said.length).toBeGreaterThan(2);
  },
);
