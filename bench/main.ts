import { spawn } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Runs the benchmarks one after the other: `npm run bench`, or `npm run bench -- <name>…` for some
 * of them. With `--quick` rounds are short. Exit code 1 when a target was missed.
 */
const PROGRAMS = [
  'httpReads',
  'databaseReads',
  'portfolios',
  'quotes',
  'orderAccept',
  'preview',
  'pipeline',
  'blockTimes',
  'cancel',
  'search',
  'searchRequests',
  'gas',
  'streams',
  'liveBook',
  'firstPage',
  'catalogueSync',
  'growth',
  'capacity',
] as const;

/** The sandbox's chain is reached through this process, and what is compared with ours inherits it. */
const MEMORY = ['--expose-gc', '--max-old-space-size=12288', '--max-semi-space-size=32'];

function run(name: string, isQuick: boolean): Promise<boolean> {
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...MEMORY, path], {
    stdio: 'inherit',
    env: { ...process.env, ...(isQuick ? { BENCH_QUICK: '1' } : {}) },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const known: readonly string[] = PROGRAMS;
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}; there are: ${PROGRAMS.join(', ')}\n`,
  );
  process.exit(1);
}
const [cpu] = cpus();
process.stdout.write(
  `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
);
const missed: string[] = [];
for (const name of positionals.length > 0 ? positionals : PROGRAMS) {
  if (!(await run(name, values.quick))) missed.push(name);
}
if (missed.length > 0) {
  process.stdout.write(`Not all bounds were kept: ${missed.join(', ')}\n`);
  process.exitCode = 1;
}
