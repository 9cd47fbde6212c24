import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSecrets } from './security/secrets.ts';
import { green, red } from './terminal.ts';

/** Scans every file that is, or is about to be, under version control. */

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const MAX_BYTES = 4_000_000;

/**
 * False positives, each with its reason. Part of the line's text identifies it, so that nothing
 * else in the file is excluded.
 */
const ALLOWED: readonly { file: RegExp; line: RegExp; why: string }[] = [
  {
    file: /^lib\/api\/schemas\/webhook\.ts$/,
    line: /example: 'whsec_/,
    why: 'the example of the description of the interface',
  },
  {
    file: /^server\/platform\/config\/.*\.test\.ts$/,
    line: /postgres:\/\//,
    why: 'databases that do not exist, in configurations that are refused or not',
  },
];

function listFiles(): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  if (listed.status !== 0) throw new Error(`the files cannot be listed: ${listed.stderr}`);
  return listed.stdout.split('\0').filter((name) => name !== '');
}

function readText(file: string): string | undefined {
  const bytes = readFileSync(join(PROJECT, file));
  return bytes.length > MAX_BYTES || bytes.includes(0) ? undefined : bytes.toString('utf8');
}

let looked = 0;
const found: string[] = [];
for (const file of listFiles()) {
  let content: string | undefined;
  try {
    content = readText(file);
  } catch {
    // Listed, but removed since.
    continue;
  }
  if (content === undefined) continue;
  looked += 1;
  const lines = content.split('\n');
  for (const { line, what } of await findSecrets(file, content)) {
    const text = lines[line - 1] ?? '';
    if (ALLOWED.some((one) => one.file.test(file) && one.line.test(text))) continue;
    found.push(`${file}:${line} looks like ${what}`);
  }
}
for (const place of found) process.stderr.write(`  ${red('✗')} ${place}\n`);
if (found.length > 0) {
  process.stderr.write('  Remove it and rotate the secret: anything committed is compromised.\n');
  process.exit(1);
}
process.stdout.write(`  ${green('✓')} ${looked} files contain no secrets\n`);
// Skips the scanner's profiler, which would sort its marks for half a minute.
process.exit(0);
