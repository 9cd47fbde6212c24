import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeReport } from '#sandbox/testing/model/describeReport.ts';
import { startModelStack } from '#sandbox/testing/model/modelStack.ts';
import { runSequences } from '#sandbox/testing/model/runSequences.ts';

const USAGE = `npm run model -- [--sequences 50] [--at-once 25] [--seed 1] [--data folder]

Starts its own sandbox, lets simulated traders trade while faults are injected at random, and
checks the books after every round. --seed repeats a run; --data keeps its folder, with the logs.
`;

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '50' },
    'at-once': { type: 'string', default: '25' },
    seed: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
} else {
  const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'crossbook-model-'));
  const stack = await startModelStack(dataDir);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stack.stop().finally(() => process.exit(130)));
  }
  try {
    const report = await runSequences({
      describe: () => stack.description(),
      dataDir,
      seed: Number(values.seed ?? randomInt(2 ** 31)),
      sequences: Number(values.sequences),
      atOnce: Number(values['at-once']),
      onRound: (soFar) => void process.stdout.write(`${describeReport(soFar)}\n\n`),
    });
    process.exitCode = report.violations.length === 0 ? 0 : 1;
  } finally {
    await stack.stop();
    if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}
