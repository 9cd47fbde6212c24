import { expect, test, vi } from 'vitest';
import { createWriteGate } from './writeGate.ts';

function recorder() {
  const happened: string[] = [];
  const task = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = async () => {
      happened.push(`${name} begins`);
      await promise;
      happened.push(`${name} ends`);
    };
    return { run, end: resolve };
  };
  return { happened, task };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('given shared requests, runs them concurrently', async () => {
  const gate = createWriteGate();
  const { happened, task } = recorder();
  const [one, two] = [task('one'), task('two')];
  const both = [gate.pass(one.run), gate.pass(two.run)];
  await settled();
  expect(happened).toEqual(['one begins', 'two begins']);
  one.end();
  two.end();
  await Promise.all(both);
});

test('given exclusive work, finishes current requests first and holds back others', async () => {
  const gate = createWriteGate();
  const { happened, task } = recorder();
  const [before, alone, after] = [task('before'), task('alone'), task('after')];
  const all = [gate.pass(before.run), gate.alone(alone.run), gate.pass(after.run)];
  await settled();
  expect(happened).toEqual(['before begins']);
  before.end();
  await settled();
  expect(happened).toEqual(['before begins', 'before ends', 'alone begins']);
  alone.end();
  after.end();
  await Promise.all(all);
  expect(happened.slice(3)).toEqual(['alone ends', 'after begins', 'after ends']);
});

test('given a request that waits for a block, exclusive work still starts', async () => {
  const gate = createWriteGate(5);
  const { happened, task } = recorder();
  const [waiting, alone] = [task('waiting'), task('alone')];
  alone.end();
  const first = gate.pass(waiting.run);
  await gate.alone(alone.run);
  expect(happened).toEqual(['waiting begins', 'alone begins', 'alone ends']);
  waiting.end();
  await first;
});

test('given a failure, passes it to its caller and reopens', async () => {
  const gate = createWriteGate();
  const fail = async () => {
    throw new Error('broken');
  };
  await expect(gate.pass(fail)).rejects.toThrow('broken');
  await expect(gate.alone(fail)).rejects.toThrow('broken');
  expect(await gate.pass(async () => 'through')).toBe('through');
});

test('given an idle gate, reports the time since the last response', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const gate = createWriteGate();
  const { task } = recorder();
  const one = task('one');
  const running = gate.pass(one.run);
  vi.advanceTimersByTime(1_000);
  expect(gate.quietMs()).toBe(0);
  one.end();
  await running;
  await settled();
  vi.advanceTimersByTime(300);
  expect(gate.quietMs()).toBe(300);
  vi.useRealTimers();
});
