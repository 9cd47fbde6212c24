import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartProblem } from '#sandbox/problem.ts';
import { appendToLog, lastLines, rotateLog } from '#sandbox/process/logFile.ts';
import { compressAssets } from '#server/api/compressAssets.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const STAMP = join(PROJECT, '.next', 'built-from');
/** The inputs of a build, besides packages, which the lock file represents. */
const SOURCES = [
  '{app,components,lib,server,contracts/{abi,bytecode},public}/**',
  '{next,postcss}.config.{js,mjs,ts}',
  'tsconfig.json',
  'package-lock.json',
];
const NOT_BUILT = /\.test\.tsx?$|\.integration\.test\.ts$|\.sql$|\.md$/;

const requireHere = createRequire(import.meta.url);

/** Whether the pages were built from the current sources. */
export function isBuilt(): boolean {
  const built = existsSync(join(PROJECT, '.next', 'BUILD_ID')) && existsSync(STAMP);
  return built && readFileSync(STAMP, 'utf8') === fingerprint();
}

/**
 * Builds the pages for production.
 * @throws {StartProblem} with the last lines of the compiler
 */
export async function buildPages(logFile: string, signal: AbortSignal): Promise<void> {
  const sources = fingerprint();
  rotateLog(logFile);
  const child = spawn(process.execPath, [requireHere.resolve('next/dist/bin/next'), 'build'], {
    cwd: PROJECT,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => appendToLog(logFile, chunk.toString().trimEnd()));
  }
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (exit, ended) => resolve(exit ?? String(ended)));
  });
  signal.throwIfAborted();
  if (code !== 0) {
    throw new StartProblem(
      ['The pages could not be built:', ...lastLines(logFile, 12)].join('\n  '),
      `The whole story is in ${logFile}.`,
    );
  }
  await compressAssets(join(PROJECT, '.next', 'static'));
  writeFileSync(STAMP, sources);
}

/** Changes whenever a build would turn out differently; only contents count, not times. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: PROJECT }))
    .filter((file) => !NOT_BUILT.test(file) && statSync(join(PROJECT, file)).isFile())
    .sort();
  for (const file of new Set(files)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(PROJECT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
