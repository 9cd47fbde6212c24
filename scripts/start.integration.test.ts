import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { silentProgress } from '#sandbox/stack/progress.ts';
import { type StackOptions, startStack } from '#sandbox/stack/startStack.ts';
import {
  command,
  descriptionIn,
  endStarts,
  expectRefusal,
  newFolder,
  start,
  statusOf,
  untilRunning,
} from './testing/starts.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const COLD_START_MS = 90_000;
/** Twice the time of an idle machine: the test machine is rarely idle. */
const WARM_START_MS = 20_000;
const STOP_MS = 5_000;

afterEach(endStarts);

const allPids = (description: SandboxDescription) => Object.values(description.pids).flat();

async function expectRemoved(pids: number[], timeoutMs: number): Promise<void> {
  await pollUntil(() => pids.every((pid) => !isAlive(pid)) || undefined, { timeoutMs });
  expect(pids.filter(isAlive)).toEqual([]);
}

describe('npm start', () => {
  it('starts everything, describes it, ends all of it on Ctrl-C, and a reset wipes it', async () => {
    const folder = newFolder();
    const port = await anyFreePort();
    const run = start(['--data', folder, '--port', String(port)]);
    await untilRunning(run, COLD_START_MS);
    const description = descriptionIn(folder);
    expect(await statusOf(description.baseUrl)).toBe(200);
    expect(statSync(join(folder, 'sandbox.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const pids = allPids(description);
    expect(pids).toHaveLength(6);
    expect(run.output()).toContain(description.apiKey);
    expect(run.output()).toContain(folder);
    const stoppedAt = Date.now();
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(STOP_MS);
    await expectRemoved(pids, 100);
    expect(await command('scripts/reset.ts', ['--data', folder]).ended).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  it('given a second start, finds its data again', { tags: ['long'] }, async () => {
    const folder = newFolder();
    const args = ['--data', folder, '--port', String(await anyFreePort())];
    const first = start(args);
    await untilRunning(first, COLD_START_MS);
    const before = descriptionIn(folder);
    first.child.kill('SIGTERM');
    await first.ended;
    const second = start(args);
    await untilRunning(second, WARM_START_MS);
    const after = descriptionIn(folder);
    expect(after.contracts).toEqual(before.contracts);
    expect(after.apiKey).toBe(before.apiKey);
    const listed = await fetch(`${after.baseUrl}/v1/prediction-market/markets?limit=1`, {
      headers: { 'x-api-key': before.apiKey },
    });
    expect(listed.status).toBe(200);
  });

  it('given a kill, leaves nothing running but a database that the next start takes over', {
    tags: ['long'],
  }, async () => {
    const folder = newFolder();
    const args = ['--data', folder, '--port', String(await anyFreePort())];
    const first = start(args);
    await untilRunning(first, COLD_START_MS);
    const { pids } = descriptionIn(folder);
    first.child.kill('SIGKILL');
    await first.ended;
    await expectRemoved(
      [...pids.web, ...pids.processor, ...pids.notifications, ...pids.exchange],
      STOP_MS,
    );
    const second = start(args);
    await untilRunning(second, WARM_START_MS);
    const after = descriptionIn(folder);
    expect(after.pids.database).toEqual(pids.database);
    expect(second.output()).toContain('taken over');
    await expectRemoved(pids.chain, 100);
    expect(await statusOf(after.baseUrl)).toBe(200);
  });

  it('given the death of any part, restarts it', { tags: ['long'] }, async () => {
    const folder = newFolder();
    const run = start(['--data', folder, '--port', String(await anyFreePort())]);
    await untilRunning(run, COLD_START_MS);
    const before = descriptionIn(folder);
    for (const name of [
      'processor',
      'notifications',
      'web',
      'exchange',
      'chain',
      'database',
    ] as const) {
      for (const pid of before.pids[name]) process.kill(pid, 'SIGKILL');
      const renewed = await pollUntil(() => {
        const now = descriptionIn(folder).pids[name];
        return now.length > 0 &&
          now.every((pid) => !before.pids[name].includes(pid)) &&
          isAlive(now[0] ?? 0)
          ? now
          : undefined;
      });
      expect(renewed, `${name}\n${run.output()}`).toBeDefined();
      expect(run.output()).toMatch(new RegExp(`${name}: ended .*starting it again`));
    }
    expect(await statusOf(before.baseUrl)).toBe(200);
  });
});

describe('a start fails on', () => {
  it('a second instance on the same data', { tags: ['long'] }, async () => {
    const folder = newFolder();
    const run = start(['--data', folder, '--port', String(await anyFreePort())]);
    await untilRunning(run, COLD_START_MS);
    const second = start(['--data', folder, '--port', String(await anyFreePort())]);
    await expectRefusal(second, `process ${run.child.pid}`, /--data <folder>/);
    const reset = command('scripts/reset.ts', ['--data', folder]);
    await expectRefusal(reset, `kill ${run.child.pid}`);
    expect(await statusOf(descriptionIn(folder).baseUrl)).toBe(200);
  });

  it('wrong values, all of them at once', async () => {
    const run = start(['--data', newFolder()], {
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://localhost/x',
      CHAIN_RPC_URL: 'http://127.0.0.1:1',
    });
    await expectRefusal(run, 'LOG_LEVEL', 'DATABASE_URL', 'USDC_ADDRESS', 'OPERATOR_PRIVATE_KEYS');
  });

  /** The same without a process of its own, whose message the test above has seen printed. */
  async function expectProblem(
    asked: Partial<StackOptions>,
    message: RegExp,
    cure: RegExp,
  ): Promise<void> {
    const started = startStack({
      dataDir: newFolder(),
      port: await anyFreePort(),
      environment: { PATH: process.env.PATH },
      progress: silentProgress,
      innerPorts: 'any',
      ...asked,
    });
    await expect(started).rejects.toMatchObject({
      name: 'StartProblem',
      message: expect.stringMatching(message),
      cure: expect.stringMatching(cure),
    });
  }

  it('a taken port', async () => {
    const port = await anyFreePort();
    const server = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      await expectProblem(
        { port },
        new RegExp(`Port ${port} is taken`),
        new RegExp(`--port ${port + 1}`),
      );
    } finally {
      server.close();
    }
  });

  it('an unavailable configured database', async () => {
    const url = `postgres://someone:secret@127.0.0.1:${await anyFreePort()}/x`;
    await expectProblem(
      { environment: { DATABASE_URL: url } },
      /^(?!.*secret).*ECONNREFUSED/s,
      /DATABASE_URL/,
    );
  });

  it('a damaged data folder', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'postgres', 'cluster'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '18\n');
    await expectProblem({ dataDir }, /damaged/, /npm run reset/);
  });

  it('a data folder that is a file', async () => {
    const dataDir = join(newFolder(), 'file');
    writeFileSync(dataDir, '');
    await expectProblem({ dataDir }, /cannot be written/, /--data/);
  });

  it('an unknown option', { tags: ['long'] }, async () => {
    await expectRefusal(start(['--prot', '1']), '--prot', 'Starts Crossbook');
  });
});

describe('npm run reset', () => {
  it('deletes no folder that is not ours', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    const refused = command('scripts/reset.ts', ['--data', folder]);
    await expectRefusal(refused, 'is not a Crossbook data folder');
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  });
});

it('npm scripts run on the project’s own Node', async () => {
  const child = spawn('npm', ['exec', '--offline', '-c', 'node --version'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(text.trim()).toMatch(/^v24\./);
});
