import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTANTS, type Mutant } from '#contracts/mutation/mutants.ts';

/**
 * Runs the contracts' tests against each mutant, in a copy of the sources. Fails when one survives
 * without a written justification. Arguments choose mutants: words found in them, or `#3` by number.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'crossbook-mutants-'));
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const forge = createRequire(import.meta.url).resolve(
  `@foundry-rs/forge-${process.platform}-${architecture}/bin/forge${process.platform === 'win32' ? '.exe' : ''}`,
);

/** A failing test, if any; the invariants run last because they take longest. */
function failingTest(): string | undefined {
  return failingAmong('--no-match-contract') ?? failingAmong('--match-contract');
}

/** Throws when forge itself cannot run. */
function failingAmong(option: '--match-contract' | '--no-match-contract'): string | undefined {
  const run = spawnSync(forge, ['test', '--root', copy, '--fail-fast', option, 'InvariantTest'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
      FOUNDRY_CONFIG: join(copy, 'contracts/foundry.toml'),
      FOUNDRY_PROFILE: 'mutation',
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
    },
  });
  if (run.error) throw run.error;
  // The name follows the reason; an invariant's comes after the calls that broke it.
  const failure = /^\[FAIL[\s\S]*?\b((?:test|invariant)\w*)\(/m.exec(run.stdout);
  if (failure) return failure[1];
  if (run.status !== 0) throw new Error(`forge could not run:\n${run.stdout}${run.stderr}`);
  return undefined;
}

function mutate(mutant: Mutant): () => void {
  const file = join(copy, `contracts/src/${mutant.file}.sol`);
  const original = readFileSync(file, 'utf8');
  if (original.split(mutant.find).length !== 2) {
    throw new Error(`${mutant.file}: not exactly one place reads ${mutant.find}`);
  }
  writeFileSync(
    file,
    original.replace(mutant.find, () => mutant.replace),
  );
  return () => writeFileSync(file, original);
}

function main(): void {
  cpSync(join(root, 'contracts'), join(copy, 'contracts'), {
    recursive: true,
    filter: (source) => !/contracts[\\/](out|cache)$/.test(source),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const wanted = process.argv.slice(2);
  for (const mutant of MUTANTS) mutate(mutant)(); // every one applies, before hours are spent
  const broken = failingTest();
  if (broken !== undefined) throw new Error(`the tests fail without any mutant: ${broken}`);
  let survivors = 0;
  for (const [index, mutant] of MUTANTS.entries()) {
    const text = `${mutant.find} → ${mutant.replace === '' ? '(nothing)' : mutant.replace}`;
    const isWanted = wanted.some((word) => word === `#${index}` || text.includes(word));
    if (wanted.length > 0 && !isWanted) continue;
    const restore = mutate(mutant);
    const killer = failingTest();
    restore();
    const fate =
      killer ?? (mutant.justification ? `justified: ${mutant.justification}` : 'SURVIVED');
    if (fate === 'SURVIVED') survivors += 1;
    const cell = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
    process.stdout.write(`| ${index} | ${mutant.file} | \`${cell}\` | ${fate} |\n`);
  }
  process.exitCode = survivors === 0 ? 0 : 1;
}

try {
  main();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
