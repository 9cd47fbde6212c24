import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { wordsOf } from './adminConsole.ts';
import { DRILLS } from './drills.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Every drill runs these at its end. */
const ALWAYS = read('sandbox/drills/drill.ts');

function commandsOf(runbook: string): string[] {
  const blocks = [...runbook.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split('\n').map((line) => line.trim())).filter(Boolean);
}

describe.each(DRILLS)('$name', ({ name }) => {
  const runbook = read(`docs/runbooks/${name}.md`);
  const commands = commandsOf(runbook);

  test('prints commands, all of which its drill runs verbatim', () => {
    const drill = read(`sandbox/drills/${name}.ts`) + ALWAYS;
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((command) => !drill.includes(`'${command}'`))).toEqual([]);
  });

  test('covers symptoms, safety of funds, actions, verification and follow-up', () => {
    const headings = [...runbook.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['How it shows', 'Is money safe', 'Do', 'Verify', 'Afterwards']);
    expect(runbook).toContain(`npm run drill -- ${name}`);
  });
});

test('given a command line, splits it as a shell does', () => {
  expect(wordsOf('npm run ops -- refund <order> --why "two words"')).toEqual([
    'npm',
    'run',
    'ops',
    '--',
    'refund',
    '<order>',
    '--why',
    'two words',
  ]);
});
