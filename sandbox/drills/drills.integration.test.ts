import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingForCluster } from '#sandbox/cluster/programs.ts';
import { type Drill, hold } from './drill.ts';
import { DRILLS } from './drills.ts';

const RUNBOOKS = new URL('../../docs/runbooks/', import.meta.url);

test('every runbook has its drill', () => {
  const runbooks = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md');
  expect(DRILLS.map(({ name }) => `${name}.md`).toSorted()).toEqual(runbooks.toSorted());
});

/** Why a drill cannot be held on this machine; undefined when it can. */
function hindranceOf(drill: Drill): string | undefined {
  const missing = drill.onCluster ? missingForCluster() : [];
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined;
}

test.for(DRILLS)(
  '$name follows its runbook',
  { tags: ['long'], timeout: 1_500_000 },
  async (drill, { skip }) => {
    const hindrance = hindranceOf(drill);
    if (hindrance !== undefined) skip(hindrance);
    const said: string[] = [];
    await hold(drill, (line) => said.push(line));
    expect(said.length).toBeGreaterThan(2);
  },
);
