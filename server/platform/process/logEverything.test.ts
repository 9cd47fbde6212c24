import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

type Line = { level: number; msg: string; process: string; err?: { message: string } };

/** What a process of ours that runs `code` has said, and how it ended. */
function run(code: string): { lines: Line[]; status: number | null; stderr: string } {
  const program = `
    import { createLog } from './server/platform/log.ts';
    import { logEverything } from './server/platform/process/logEverything.ts';
    logEverything(createLog('test', 'debug'));
    ${code}`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', program],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return { lines, status, stderr };
}

test('each print becomes one line, at its level, without colours', () => {
  const { lines, stderr } = run(`
    console.log('ready in %d ms', 82);
    console.warn('\\u001b[33m⚠ two\\nlines\\u001b[0m');
    console.error(new Error('Failed query: select $1\\nparams: hunter2'), { digest: '1' });
  `);
  expect(stderr).toBe('');
  expect(lines).toMatchObject([
    { level: 30, msg: 'ready in 82 ms', process: 'test' },
    { level: 40, msg: '⚠ two\nlines' },
    { level: 50, msg: "{ digest: '1' }", err: { message: 'Failed query: select $1' } },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('a warning of Node becomes a line', () => {
  const { lines, stderr } = run(`process.emitWarning('old ways', 'DeprecationWarning');`);
  expect(stderr).toBe('');
  expect(lines).toMatchObject([{ level: 40, msg: 'warning', err: { message: 'old ways' } }]);
});

test.each([
  ['an error that nothing caught', `setImmediate(() => { throw new Error('broken'); });`],
  ['a promise that nothing awaited', `void Promise.reject(new Error('broken'));`],
])('%s is the last line, and ends the process', (_what, code) => {
  const { lines, status, stderr } = run(`${code} setTimeout(() => console.log('late'), 1000);`);
  expect(status).toBe(1);
  expect(stderr).toBe('');
  expect(lines).toMatchObject([{ level: 60, err: { message: 'broken' } }]);
});
