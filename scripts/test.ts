import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { bold, dim, green, red } from './terminal.ts';
import { runStages, type Stage, type StageResult } from './testing/runStages.ts';
import { stages } from './testing/stages.ts';

const NAME_WIDTH = 14;

/** Runs every check; `--long` adds the slow ones, `--only a,b` selects stages. */
async function test(): Promise<boolean> {
  const { values } = parseArgs({
    options: { long: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const started = performance.now();
  const results = await runStages(choose(stages({ isLong: values.long }), values.only), {
    cores: Math.max(2, Math.min(availableParallelism(), 4)),
    onResult: report,
  });
  const failed = results.filter((result) => !result.isPassed);
  for (const { name, output } of failed) print(`\n${bold(`── ${name}`)}\n${output}`);
  if (failed.length > 0) print(`\n${bold('Failed')}`);
  for (const { name, failures } of failed) {
    for (const failure of failures) print(`${red('✗')} ${name.padEnd(NAME_WIDTH)}${failure}`);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  print(`\n${dim(`${Math.floor(seconds / 60)} min ${seconds % 60} s`)}`);
  if (!values.long) print(dim('Tests with the tag `long` are left to `npm run test:long`.'));
  const sum = (of: (result: StageResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  print(`${sum(({ passed }) => passed)} passed, ${sum(({ failures }) => failures.length)} failed`);
  return failed.length === 0;
}

function choose(known: Stage[], only: string | undefined): Stage[] {
  const wanted = only?.split(',') ?? known.map(({ name }) => name);
  const unknown = wanted.filter((name) => !known.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const names = known.map(({ name }) => name).join(', ');
    throw new Error(`Unknown stage ${unknown.join(', ')}. Stages: ${names}`);
  }
  return known.filter(({ name }) => wanted.includes(name));
}

function report({ name, isPassed, passed, failures, ms, remark }: StageResult): void {
  const mark = isPassed ? green('✓') : red('✗');
  const seconds = (ms / 1000).toFixed(1).padStart(6);
  const count = `${passed} passed${failures.length > 0 ? `, ${failures.length} failed` : ''}`;
  print(`${mark} ${name.padEnd(NAME_WIDTH)}${seconds} s  ${count}${remark && `  ${dim(remark)}`}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  process.exit((await test()) ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
