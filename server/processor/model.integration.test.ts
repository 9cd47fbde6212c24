import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { IS_LONG_RUN } from '#sandbox/testing/longRun.ts';
import { describeReport } from '#sandbox/testing/model/describeReport.ts';
import { startModelStack } from '#sandbox/testing/model/modelStack.ts';
import { runSequences } from '#sandbox/testing/model/runSequences.ts';

/**
 * Random sequences of user actions under random failures. Repeat a run with MODEL_SEED;
 * MODEL_SEQUENCES sets their number, MODEL_DATA keeps the folder with the logs.
 */

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? (IS_LONG_RUN ? 2_000 : 6));
const SEED = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));

const kept = process.env.MODEL_DATA;
const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'crossbook-model-'));
let stack: Stack;

beforeAll(async () => {
  stack = await startModelStack(dataDir);
});
afterAll(async () => {
  await stack?.stop();
  if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
});

test('given any user actions and failures, loses nothing', {
  timeout: 120_000 + SEQUENCES * 12_000,
}, async () => {
  const report = await runSequences({
    describe: () => stack.description(),
    dataDir,
    seed: SEED,
    sequences: SEQUENCES,
    onRound: (soFar) => {
      if (IS_LONG_RUN) process.stdout.write(`${describeReport(soFar)}\n`);
    },
  });
  const text = describeReport(report);
  process.stdout.write(`${text}\n`);
  expect(report.violations, text).toEqual([]);
  // A run without actions or failures would prove nothing. While the exchange is paused, orders are
  // refused, so a short run may complete few.
  const completed = IS_LONG_RUN ? SEQUENCES : SEQUENCES / 5;
  expect(report.outcomes.completed ?? 0).toBeGreaterThan(completed);
  expect(Object.keys(report.faults).length).toBeGreaterThan(Math.min(10, SEQUENCES / 20));
});
