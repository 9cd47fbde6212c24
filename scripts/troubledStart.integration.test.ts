import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAlive } from '#sandbox/process/liveness.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { mountSmallDisk, type SmallDisk } from '#sandbox/testing/smallDisk.ts';
import {
  command,
  descriptionIn,
  endStarts,
  expectRefusal,
  type Run,
  start,
  statusOf,
  untilRunning,
} from './testing/starts.ts';

/** Full disks, and data folders with a missing or broken file, as `npm start` meets them. */

const WITHOUT_PAGES = { SERVE_PAGES: 'false' };
const START_MS = 120_000;
/** Seconds, on a busy machine. */
const REFUSED_WITHIN_MS = 30_000;
const DISK_MIB = 400;

let disk: SmallDisk;
let port = 0;
const inData = (...parts: string[]) => join(disk.path, 'data', ...parts);
const startHere = () => start(['--data', inData(), '--port', String(port)], WITHOUT_PAGES);

beforeAll(async () => {
  disk = mountSmallDisk(DISK_MIB);
  port = await anyFreePort();
});
afterAll(() => disk.remove());
afterEach(async () => {
  disk.free();
  await endStarts();
});

/** Whether or not the lock of the data folder still found room. */
const NO_ROOM = /disk of \S+ (is full|has \d+ MiB left; a start here needs \d+ MiB)/;

async function refused(run: Run, ...texts: (string | RegExp)[]): Promise<void> {
  const begun = performance.now();
  await expectRefusal(run, ...texts);
  expect(performance.now() - begun).toBeLessThan(REFUSED_WITHIN_MS);
}

async function healthy(): Promise<boolean> {
  const { baseUrl, pids, apiKey } = descriptionIn(inData());
  const all = Object.values(pids);
  if (all.some((ids) => ids.length === 0 || !ids.every(isAlive))) return false;
  const listed = await fetch(`${baseUrl}/v1/prediction-market/markets?limit=1`, {
    headers: { 'x-api-key': apiKey },
  });
  const status = (await (await fetch(`${baseUrl}/v1/status`)).json()) as {
    exchange: { status: string };
    chain: { status: string };
  };
  return listed.ok && status.exchange.status === 'ok' && status.chain.status === 'ok';
}

describe('given a full disk', () => {
  test('a first start fails within seconds and leaves nothing partial', async () => {
    mkdirSync(inData());
    disk.fill();
    await refused(startHere(), NO_ROOM, 'Make room');
    disk.free();
    expect(existsSync(inData('postgres'))).toBe(false);
    expect(existsSync(inData('secrets.json'))).toBe(false);
    expect(existsSync(inData('instance.lock'))).toBe(false);
  });

  test('that fills up under a running sandbox ends parts of it, and all are back when there is room', {
    tags: ['long'],
    timeout: 300_000,
  }, async () => {
    const run = startHere();
    await untilRunning(run, START_MS);
    const before = descriptionIn(inData());
    disk.fill();
    for (const pids of Object.values(before.pids)) {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    }
    await expect.poll(() => run.output()).toMatch(/(does not come back yet|ended \((?!SIGKILL)).*/);
    expect(run.child.exitCode).toBeNull();
    disk.free();
    await expect
      .poll(() => healthy().catch(() => false), { timeout: START_MS, interval: 500 })
      .toBe(true);
    const after = descriptionIn(inData());
    for (const [part, pids] of Object.entries(after.pids)) {
      expect(before.pids[part as keyof typeof before.pids], part).not.toEqual(pids);
    }
    expect(await statusOf(after.baseUrl)).toBe(200);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
  });

  test('a later start fails within seconds, and the next one finds everything', {
    tags: ['long'],
    timeout: 200_000,
  }, async () => {
    const secrets = readFileSync(inData('secrets.json'), 'utf8');
    disk.fill();
    await refused(startHere(), NO_ROOM, 'Make room');
    disk.free();
    expect(readFileSync(inData('secrets.json'), 'utf8')).toBe(secrets);
    const run = startHere();
    await untilRunning(run, START_MS);
    expect(await healthy()).toBe(true);
  });
});

describe('a data folder', { tags: ['long'] }, () => {
  /** Breaks a file, checks the start's message, and restores it. */
  async function withBroken(
    file: string,
    damage: (path: string) => void,
    ...texts: (string | RegExp)[]
  ): Promise<void> {
    const [path, aside] = [inData(file), inData('aside')];
    copyFileSync(path, aside);
    damage(path);
    const others = readdirSync(inData('postgres')).toSorted();
    try {
      await refused(startHere(), inData(file), ...texts);
      expect(readdirSync(inData('postgres')).toSorted()).toEqual(others);
    } finally {
      renameSync(aside, path);
    }
  }

  const cut = (path: string) => truncateSync(path, 0);
  const spoil = (path: string) => writeFileSync(path, 'this is nothing');

  test.each<[string, string, (path: string) => void, string]>([
    ['without the password of its database', 'postgres/password', rmSync, 'is missing'],
    ['with an empty password', 'postgres/password', cut, 'is missing'],
    ['with another password', 'postgres/password', spoil, 'not the one it was made with'],
    ['without the state of its exchange', 'exchange/exchange.db', rmSync, 'is missing'],
    ['with an empty state of its exchange', 'exchange/exchange.db', cut, 'is empty'],
    ['with a broken state of its exchange', 'exchange/exchange.db', spoil, 'is damaged'],
    ['with broken keys', 'secrets.json', spoil, 'is damaged'],
  ])(
    '%s says so, with the cure',
    async (_what, file, damage, text) => {
      await withBroken(file, damage, text, /backup of the data folder.*npm run reset/);
    },
    60_000,
  );

  test('with a cut state of its chain, broken notes and a stale lock starts as if nothing was', {
    tags: ['long'],
    timeout: 200_000,
  }, async () => {
    truncateSync(inData('chain', 'state.json'), 100);
    spoil(inData('sandbox.json'));
    spoil(inData('processes.json'));
    writeFileSync(inData('instance.lock'), JSON.stringify({ pid: process.pid, birth: 'another' }));
    const run = startHere();
    await untilRunning(run, START_MS);
    expect(await healthy()).toBe(true);
  });

  test('that cannot be written says so', async () => {
    disk.setReadOnly(true);
    try {
      await refused(startHere(), 'cannot be written', '--data <folder>');
    } finally {
      disk.setReadOnly(false);
    }
  });

  test('is wiped by the cure that is named', async () => {
    const reset = command('scripts/reset.ts', ['--data', inData()]);
    expect(await reset.ended).toBe(0);
    expect(existsSync(inData())).toBe(false);
  });
});
