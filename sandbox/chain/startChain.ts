import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StartProblem } from '#sandbox/problem.ts';
import { writeWhole } from '#sandbox/process/atomicFile.ts';
import { isAlive, startTimeOf } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { isPortFree } from '#sandbox/process/ports.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { repairState, rotateStateCopies, stateFileOf } from './chainState.ts';

export const LOCAL_CHAIN_ID = 8453;

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;
const PORT_TIMEOUT_MS = 2_000;

export type ChainOptions = {
  /** The chain's state between runs. */
  dataDir: string;
  port: number;
  /** The only origin whose pages may call the chain from a browser. */
  allowOrigin: string;
  /** The caller saves the state; otherwise the chain does so every second. */
  isSaved?: boolean;
  /** Called once when the chain ends, with the reason. */
  onExit?: ((how: string) => void) | undefined;
};

export type RunningChain = RunningPart & { rpcUrl: string; pid: number };

/**
 * Starts the local chain and waits until it responds. Its state is saved every second and on
 * shutdown, so a kill loses a second or two at most.
 * @throws {StartProblem} when the port is taken, the binary is missing or the chain does not
 * respond
 */
export async function startChain(options: ChainOptions): Promise<RunningChain> {
  const binary = anvilBinary();
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const pidFile = join(options.dataDir, 'chain.pid');
  await endOrphan(pidFile);
  // An outgoing connection of another program may occupy the port briefly.
  const isFree = async () => (await isPortFree(options.port)) || undefined;
  if (!(await pollUntil(isFree, { timeoutMs: PORT_TIMEOUT_MS, everyMs: 100 }))) {
    throw new StartProblem(
      `Port ${options.port}, meant for the local chain, is taken.`,
      'End the program that holds it, or set CHAIN_RPC_URL to a chain that runs already.',
    );
  }
  repairState(options.dataDir);
  const child = spawn(binary, anvilArguments(options), {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2_000);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const stop = () => stopChild(child, exited);
  const rpcUrl = `http://127.0.0.1:${options.port}`;
  let ended: string | undefined;
  const endCopies = options.isSaved ? () => undefined : rotateStateCopies(options.dataDir);
  void exited.then((how) => {
    ended = how;
    endCopies();
    options.onExit?.(how);
  });
  if (child.pid !== undefined) {
    try {
      writeWhole(pidFile, JSON.stringify({ pid: child.pid, birth: startTimeOf(child.pid) }));
    } catch (error) {
      // An unrecorded chain would write the same state as a later one.
      await stop();
      throw error;
    }
  }
  const response = await pollUntil(
    async () => (ended === undefined ? await chainIdAt(rpcUrl) : `ended (${ended})`),
    { timeoutMs: START_TIMEOUT_MS },
  );
  if (response === LOCAL_CHAIN_ID && child.pid !== undefined) {
    return { rpcUrl, pid: child.pid, pids: [child.pid], exited, stop };
  }
  await stop();
  throw new StartProblem(
    `The local chain did not start: ${response ?? 'it is not responding'}. ${complaint.trim()}`.trim(),
    `Its state is ${stateFileOf(options.dataDir)}; without that file it begins anew. Or set CHAIN_RPC_URL to another chain.`,
  );
}

/** The native program of this platform's npm package; its Node wrapper costs 100 ms. */
function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new StartProblem(
      `The local chain's program is missing: the package ${name} is not installed.`,
      'Run npm install without --omit=optional; or, where the package does not exist, set CHAIN_RPC_URL to a chain you run.',
      { cause },
    );
  }
}

function anvilArguments(options: ChainOptions): string[] {
  return [
    ['--host', '127.0.0.1'],
    ['--port', String(options.port)],
    ['--chain-id', String(LOCAL_CHAIN_ID)],
    ['--network', 'optimism'],
    // Without a limit, old states fill the home folder with gigabytes.
    ['--prune-history', '64'],
    ['--state', stateFileOf(options.dataDir)],
    options.isSaved ? [] : ['--state-interval', '1'],
    ['--allow-origin', options.allowOrigin],
    ['--disable-console-log', '--quiet'],
  ].flat();
}

async function chainIdAt(rpcUrl: string): Promise<number | undefined> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
      signal: AbortSignal.timeout(1_000),
    });
    const body: unknown = await response.json();
    return body !== null && typeof body === 'object' && 'result' in body
      ? Number(body.result)
      : undefined;
  } catch {
    return undefined;
  }
}

/** On shutdown, the chain writes its state first. */
async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timeout);
}

/** A chain survives its starter's death; two must never write the same state. */
async function endOrphan(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const orphan = readPid(pidFile);
  if (orphan && isAlive(orphan.pid) && startTimeOf(orphan.pid) === orphan.birth) {
    process.kill(orphan.pid, 'SIGTERM');
    const gone = await pollUntil(() => (isAlive(orphan.pid) ? undefined : true), {
      timeoutMs: STOP_TIMEOUT_MS,
    });
    if (!gone) process.kill(orphan.pid, 'SIGKILL');
    await pollUntil(() => (isAlive(orphan.pid) ? undefined : true), { timeoutMs: 2_000 });
  }
  rmSync(pidFile, { force: true });
}

function readPid(pidFile: string): { pid: number; birth: string } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pidFile, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('pid' in value) || !('birth' in value)) return undefined;
    const { pid, birth } = value;
    // Without a start time, a reused process id is indistinguishable: leave it alone.
    return typeof pid === 'number' && typeof birth === 'string' && birth !== ''
      ? { pid, birth }
      : undefined;
  } catch {
    return undefined;
  }
}
