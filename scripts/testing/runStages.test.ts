import { describe, expect, it } from 'vitest';
import { runStages, type Stage, type StageResult } from './runStages.ts';

const node = process.execPath;
const stage = (name: string, program: string, more: Partial<Stage> = {}): Stage => ({
  name,
  commands: [[node, '-e', program]],
  cores: 1,
  ...more,
});

async function run(stages: Stage[], cores = 2) {
  const finished: string[] = [];
  const onResult = (result: StageResult) => finished.push(result.name);
  const results = await runStages(stages, { cores, onResult });
  return { finished, of: (name: string) => results.find((result) => result.name === name) };
}

describe('the stages of the test command', () => {
  it('count as failed when the program fails, regardless of its count', async () => {
    const { of } = await run([
      stage('good', 'console.log("7")', {
        tally: (text) => ({ passed: Number(text), failures: [] }),
      }),
      stage('bad', 'console.log("why");process.exit(3)', {
        tally: () => ({ passed: 5, failures: [] }),
      }),
      { ...stage('absent', ''), commands: [['/no/such/program']] },
    ]);
    expect(of('good')).toMatchObject({ isPassed: true, passed: 7, failures: [] });
    expect(of('bad')).toMatchObject({
      isPassed: false,
      passed: 5,
      failures: ['see its output'],
      output: 'why\n',
    });
    expect(of('absent')).toMatchObject({ isPassed: false, failures: ['see its output'] });
  });

  it('do not run after one that they need has failed', async () => {
    const { of, finished } = await run([
      stage('browser', 'console.log("ran")', { after: ['build'] }),
      stage('build', 'process.exit(1)'),
    ]);
    expect(finished).toEqual(['build', 'browser']);
    expect(of('browser')).toMatchObject({
      isPassed: false,
      failures: ['not run, because build failed'],
    });
    expect(of('browser')?.output).not.toContain('ran');
  });

  it('run one after the other when they need all cores', async () => {
    const program = 'const t=Date.now();while(Date.now()-t<150);';
    const started = performance.now();
    await run([stage('a', program, { cores: 2 }), stage('b', program, { cores: 2 })]);
    expect(performance.now() - started).toBeGreaterThan(300);
  });

  it('stop at the first of their commands that fails', async () => {
    const { of } = await run([
      {
        ...stage('two', ''),
        commands: [
          [node, '-e', 'process.exit(1)'],
          [node, '-e', 'console.log("second")'],
        ],
      },
    ]);
    expect(of('two')?.output).toBe('');
  });
});
