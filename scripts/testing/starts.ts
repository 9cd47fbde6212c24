import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { pollUntil } from '#sandbox/process/poll.ts';
import { dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { readDescription, type SandboxDescription } from '#sandbox/stack/description.ts';
import { endEverythingOn } from '#sandbox/stack/leftovers.ts';

/** `npm start` as people run it, for tests; what was started ends with `endStarts`. */

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

export type Run = {
  child: ChildProcess;
  output: () => string;
  /** Settles with the exit code, or the signal's name. */
  ended: Promise<number | string>;
};

const runs: Run[] = [];
const folders: string[] = [];

export async function endStarts(): Promise<void> {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGTERM');
    await run.ended;
  }
  for (const folder of folders.splice(0)) {
    await endEverythingOn(dataFolderAt(folder));
    rmSync(folder, { recursive: true, force: true });
  }
}

export function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'crossbook-start-'));
  folders.push(parent);
  return parent;
}

export function command(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
): Run {
  const child = spawn(process.execPath, ['scripts/launch.mjs', script, ...args], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? String(signal)));
  });
  return { child, output: () => text, ended };
}

export function start(args: string[], environment?: Record<string, string>): Run {
  const run = command('scripts/start.ts', args, environment);
  runs.push(run);
  return run;
}

export async function untilRunning(run: Run, timeoutMs: number): Promise<void> {
  const seen = await pollUntil(
    () => (/is running/.test(run.output()) || run.child.exitCode !== null ? true : undefined),
    { timeoutMs },
  );
  if (!seen || run.child.exitCode !== null) throw new Error(`it did not start:\n${run.output()}`);
}

export function descriptionIn(folder: string): SandboxDescription {
  const description = readDescription(join(folder, 'sandbox.json'));
  if (!description) throw new Error('there is no sandbox.json');
  return description;
}

export async function statusOf(baseUrl: string): Promise<number> {
  return (await fetch(`${baseUrl}/v1/status`)).status;
}

/** A failed start: one message with one cure on standard error, no stack, and exit code 1. */
export async function expectRefusal(run: Run, ...texts: (string | RegExp)[]): Promise<void> {
  expect(await run.ended).toBe(1);
  for (const text of texts) expect(run.output()).toMatch(text);
  expect(run.output().match(/^ {2}→ /gm), run.output()).toHaveLength(1);
  expect(run.output()).not.toMatch(/^\s+at .*:\d+:\d+/m);
}
