import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { StartProblem } from '#sandbox/problem.ts';
import { lastLines } from './logFile.ts';
import type { RunningPart } from './supervised.ts';

const GUARD = new URL('./childGuard.ts', import.meta.url).href;
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** The compile cache of earlier runs shortens a start by a third. */
export const COMPILE_CACHE = join(PROJECT, '.next', 'cache', 'node');
const READY_TIMEOUT_MS = 60_000;
/** As in production, see deploy: a larger young generation halves the minor collections. */
const YOUNG_MEMORY = '--max-semi-space-size=32';

export type NodeChildOptions = {
  /** The name in messages: "The web server". */
  title: string;
  /** Entry file, relative to the project. */
  entry: string;
  environment: Record<string, string | undefined>;
  logFile: string;
  /** Receives every line instead of the log file. */
  onLine?: ((line: string) => void) | undefined;
  stopTimeoutMs: number;
  /** Aborts the start. */
  signal: AbortSignal;
};

/**
 * Starts one of our Node programs in its own process group and waits until it sends `{type:
 * 'ready'}` over its channel.
 * @throws {StartProblem} when it exits or times out instead
 */
export async function startNodeChild(options: NodeChildOptions): Promise<RunningPart> {
  const child = spawnChild(options);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const part: RunningPart = {
    pids: child.pid ? [child.pid] : [],
    exited,
    stop: () => stopChild(child, exited, options.stopTimeoutMs),
  };
  const outcome = await Promise.race([
    firstMessage(child),
    exited.then((how) => `it ended (${how})`),
    overtime(options.signal),
  ]);
  if (outcome === 'ready') return part;
  await part.stop();
  options.signal.throwIfAborted();
  if (outcome instanceof StartProblem) throw outcome;
  throw new StartProblem(
    [`${options.title} did not start: ${outcome}.`, ...reasons(options.logFile)].join('\n'),
    `The whole story is in ${options.logFile}.`,
  );
}

function spawnChild(options: NodeChildOptions): ChildProcess {
  const log = options.onLine ? undefined : openSync(options.logFile, 'a', 0o600);
  const output = log ?? 'pipe';
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', YOUNG_MEMORY, '--import', GUARD, options.entry],
    {
      cwd: PROJECT,
      env: {
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...options.environment,
      },
      stdio: ['ignore', output, output, 'ipc'],
      // Ctrl-C reaches the whole foreground group; we choose the order of stopping.
      detached: true,
    },
  );
  if (log !== undefined) closeSync(log);
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && options.onLine) createInterface({ input: stream }).on('line', options.onLine);
  }
  return child;
}

/** Settles on timeout or abort. */
function overtime(signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(READY_TIMEOUT_MS);
  return new Promise((resolve) => {
    const stop = () => resolve(signal.aborted ? 'it was stopped' : 'it was not ready in a minute');
    if (signal.aborted) stop();
    AbortSignal.any([signal, limit]).addEventListener('abort', stop, { once: true });
  });
}

const messageSchema = z.union([
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('problem'), message: z.string(), cure: z.string() }),
]);

/** Its ready message, or a problem that the user can fix. */
function firstMessage(child: ChildProcess): Promise<'ready' | StartProblem> {
  return new Promise((resolve) => {
    child.on('message', (raw: unknown) => {
      const { data } = messageSchema.safeParse(raw);
      if (data?.type === 'ready') resolve('ready');
      if (data?.type === 'problem') resolve(new StartProblem(data.message, data.cure));
    });
  });
}

async function stopChild(child: ChildProcess, exited: Promise<string>, timeoutMs: number) {
  signalGroup(child, 'SIGTERM');
  const hurry = setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(hurry);
  // Its own child processes end with it.
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is empty.
  }
}

/** The error that ended a program, or else its last lines. */
function reasons(logFile: string): string[] {
  const lines = lastLines(logFile, 40).map(messageOf);
  const fault = lines.findLast((line) => /^\S*(Error|Exception|Problem)\b.*:/.test(line));
  return (fault ? [fault] : lines.slice(-3)).map((line) => `  ${line.slice(0, 300)}`);
}

const structuredLine = z.object({
  msg: z.string(),
  err: z.object({ message: z.string() }).optional(),
});

/** The message of a structured line, or the line as it is. */
function messageOf(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = structuredLine.parse(JSON.parse(line));
    return err ? `Error: ${msg}: ${err.message}` : msg;
  } catch {
    return line;
  }
}
