import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';

/** The examples of the README, run as they are printed there but for the port and the data folder. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const sandbox = sandboxUnderTest();

let folder = '';
beforeAll(() => {
  // Inside the project, so that the examples find the packages they import.
  mkdirSync(join(PROJECT, '.data'), { recursive: true });
  folder = mkdtempSync(join(PROJECT, '.data', 'readme-'));
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function example(name: string): string {
  const marked = new RegExp(`<!-- run: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``);
  const code = marked.exec(README)?.[1];
  if (code === undefined) throw new Error(`the README has no example "${name}"`);
  return code
    .replaceAll('http://localhost:3000', sandbox.baseUrl)
    .replaceAll('.data/sandbox.json', join(folder, 'sandbox.json'));
}

async function run(program: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd: PROJECT,
    env: { ...process.env, CROSSBOOK_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: `${output}${errors}` };
}

describe('the README', () => {
  test('trades with curl', { timeout: 120_000 }, async () => {
    const { code, output } = await run('bash', ['-e', '-o', 'pipefail', '-c', example('curl')]);
    expect(output).toContain('"status":"completed"');
    expect(output).toContain('"filledBaseQuantity":"10"');
    expect(code).toBe(0);
  });

  test('trades as a program, placed by the service and sent by the wallet', {
    timeout: 120_000,
  }, async () => {
    const file = join(folder, 'example.ts');
    writeFileSync(file, example('typescript'));
    const { code, output } = await run(process.execPath, [file]);
    expect(output).toContain('placed for me: completed');
    expect(output).toMatch(/sent by me: completed 10 for \d/);
    expect(code).toBe(0);
  });
});
