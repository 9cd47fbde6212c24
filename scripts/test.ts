import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { bold, dim, green, red } from './terminal.ts';
import { runStages, type StageResult } from './testing/runStages.ts';
import { stages } from './testing/stages.ts';

/** Runs everything that must pass; `--long` adds what takes its time, `--only a,b` picks stages. */
async function test(): Promise<boolean> {
  const { values } = parseArgs({
    options: { long: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const chosen = values.only?.split(',');
  const known = stages({ isLong: values.long });
  const unknown = chosen?.filter((name) => !known.some((stage) => stage.name === name)) ?? [];
  if (unknown.length > 0) {
    const names = known.map((stage) => stage.name).join(', ');
    throw new Error(`Unknown stage ${unknown.join(', ')}. Stages: ${names}`);
  }
  const started = performance.now();
  const results = await runStages(
    chosen ? known.filter((stage) => chosen.includes(stage.name)) : known,
    { cores: Math.max(2, Math.min(availableParallelism(), 4)), onResult: report },
  );
  for (const result of results) {
    if (!result.isPassed)
      process.stdout.write(`\n${bold(`── ${result.name}`)}\n${result.output}\n`);
  }
  const sum = (of: (result: StageResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(`\n${dim(`${Math.floor(seconds / 60)} min ${seconds % 60} s`)}\n`);
  process.stdout.write(`${sum((r) => r.passed)} passed, ${sum((r) => r.failed)} failed\n`);
  return results.every((result) => result.isPassed);
}

function report(result: StageResult): void {
  const mark = result.isPassed ? green('✓') : red('✗');
  const count = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} failed` : ''}`;
  const seconds = (result.ms / 1000).toFixed(1).padStart(6);
  const remark = result.remark ? `  ${dim(result.remark)}` : '';
  process.stdout.write(`${mark} ${result.name.padEnd(14)}${seconds} s  ${count}${remark}\n`);
}

try {
  process.exit((await test()) ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
