import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartProblem } from '#sandbox/problem.ts';
import { DISK_FULL } from '#sandbox/process/disk.ts';
import { takeLock } from '#sandbox/process/pidLock.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { freePortFrom, isPortFree } from '#sandbox/process/ports.ts';
import { findBinaries, makeHome } from './binaries.ts';
import {
  checkCluster,
  clusterPassword,
  createCluster,
  DATABASE_USER,
  damagedCluster,
  foreignPassword,
} from './cluster.ts';
import { clusterViewFor } from './clusterView.ts';
import { responses, runningPostmaster, spawnPostmaster, stopPostmaster } from './postmaster.ts';
import { userForPostgres } from './unprivilegedUser.ts';

/** Avoids PostgreSQL's own 5432, which may be taken. */
const FIRST_PORT = 54_320;
const PORT_ATTEMPTS = 10;
const DATABASE_NAME = 'crossbook';
/** By then a server that finds its port taken has ended. */
const PORT_LOST_MS = 3_000;

export type RunningDatabase = {
  url: string;
  pid: number;
  /** True when this start took over a running server. */
  adopted: boolean;
  stop: () => Promise<void>;
};

/**
 * Starts the embedded PostgreSQL on the cluster in `dataDir`, creating the cluster on first use, or
 * takes over a server that already runs on it. It listens on 127.0.0.1 only.
 * @param options.port the first port to try; the next free one is taken
 * @param options.logFile where the server writes warnings and errors
 * @throws {StartProblem} when the folder is damaged or of another version, or programs are missing
 */
export async function startDatabase(options: {
  dataDir: string;
  port?: number;
  logFile?: string;
}): Promise<RunningDatabase> {
  const home = options.dataDir;
  const clusterPath = join(home, 'cluster');
  const user = userForPostgres(clusterPath);
  makeHome(home, user);
  const lock = await waitForLock(join(home, 'start.lock'));
  try {
    if (existsSync(clusterPath)) {
      checkCluster(clusterPath);
      clusterPassword(home);
    }
    const adopted = await adopt(home, clusterPath);
    if (adopted) return adopted;
    const binaries = findBinaries(home, user);
    const viewOf = (path: string) => clusterViewFor(path, user);
    if (!existsSync(clusterPath)) await createCluster(home, clusterPath, binaries, user, viewOf);
    return await launch({
      ...options,
      home,
      clusterPath,
      postgres: binaries.postgres,
      view: viewOf(clusterPath),
      user,
    });
  } finally {
    lock.release();
  }
}

async function waitForLock(path: string): Promise<{ release: () => void }> {
  let holder = 0;
  const taken = await pollUntil(
    () => {
      const attempt = takeLock(path);
      if ('release' in attempt) return attempt;
      holder = attempt.heldBy;
      return undefined;
    },
    { timeoutMs: 60_000, everyMs: 50 },
  );
  if (taken) return taken;
  throw new StartProblem(
    `Another start of the database (process ${holder}) does not come to an end.`,
    `End process ${holder} and start again.`,
  );
}

async function adopt(home: string, clusterPath: string): Promise<RunningDatabase | undefined> {
  const running = runningPostmaster(clusterPath);
  if (!running) return undefined;
  const isGone = () => runningPostmaster(clusterPath)?.pid !== running.pid;
  const url = urlFor(home, running.port);
  const response = await responses(serverUrl(url), isGone);
  if (response === 'refuses') throw foreignPassword(home);
  if (response === 'answers') {
    await ensureDatabase(url);
    return { url, pid: running.pid, adopted: true, stop: () => stopPostmaster(running.pid) };
  }
  // It holds the cluster without serving it, so it has no users.
  await stopPostmaster(running.pid);
  return undefined;
}

async function launch(
  options: Omit<Parameters<typeof spawnPostmaster>[0], 'port' | 'logDescriptor'> & {
    home: string;
    clusterPath: string;
    port?: number;
    logFile?: string;
  },
): Promise<RunningDatabase> {
  let port = options.port ?? FIRST_PORT;
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    port = await freePortFrom(port);
    const started = await launchOn(port, options);
    if (started) return started;
    // Another program took the port between the check and the start.
    port += 1;
  }
  throw new StartProblem(
    `PostgreSQL found no free port from ${options.port ?? FIRST_PORT} on.`,
    'Free a port, or name a database of your own in DATABASE_URL.',
  );
}

async function launchOn(
  port: number,
  options: Parameters<typeof launch>[0],
): Promise<RunningDatabase | undefined> {
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a', 0o600);
  const logStart = options.logFile ? readFileSync(options.logFile).length : 0;
  const child = spawnPostmaster({ ...options, port, logDescriptor: log });
  if (log !== undefined) closeSync(log);
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? code}`;
  });
  const url = urlFor(options.home, port);
  const response = await responses(serverUrl(url), () => ended !== undefined);
  if (response === 'answers') {
    const pid = child.pid ?? 0;
    await ensureDatabase(url);
    return { url, pid, adopted: false, stop: () => stopPostmaster(pid) };
  }
  if (response === 'refuses') {
    // Another server may have taken the port since the check: then ours exits.
    const hasEnded = await pollUntil(() => ended !== undefined || undefined, {
      timeoutMs: PORT_LOST_MS,
    });
    if (hasEnded) return undefined;
    await stopPostmaster(child.pid ?? 0);
    throw foreignPassword(options.home);
  }
  const said = options.logFile ? readFileSync(options.logFile).subarray(logStart).toString() : '';
  const isTaken = ended !== undefined && !(await isPortFree(port));
  if (isTaken || /could not bind|Address already in use/.test(said)) return undefined;
  if (child.pid) await stopPostmaster(child.pid);
  throw explainFailure(options.clusterPath, said, ended);
}

function explainFailure(clusterPath: string, said: string, ended: string | undefined) {
  const fault = said.match(/(?:FATAL|PANIC):\s*(?!the database system is )(.*)/)?.[1];
  // A full disk damages nothing: earlier writes are intact.
  if (fault && DISK_FULL.test(said)) return new Error(`PostgreSQL did not start: ${fault}`);
  if (fault) return damagedCluster(clusterPath, fault);
  return new StartProblem(
    `PostgreSQL did not start: ${ended ?? 'it did not respond in time'}.`,
    'The packaged programs need Linux with glibc, macOS or Windows; elsewhere name a database of your own in DATABASE_URL.',
  );
}

function urlFor(home: string, port: number): string {
  return `postgres://${DATABASE_USER}:${clusterPassword(home)}@127.0.0.1:${port}/${DATABASE_NAME}`;
}

/** The database every cluster has from the start. */
function serverUrl(url: string): string {
  return url.replace(/\/[^/]*$/, '/postgres');
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl(url) });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}
