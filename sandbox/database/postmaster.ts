import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { isAlive, programOf } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { bareEnvironment } from './bareEnvironment.ts';
import type { ClusterView } from './clusterView.ts';
import type { SystemUser } from './unprivilegedUser.ts';

/** Recovery of a busy server takes well under a second; a slow disk may need longer. */
const READY_TIMEOUT_MS = 60_000;

export type Running = { pid: number; port: number };

/**
 * The server that runs on a cluster, by its own pid file. Removes the pid file of a crashed one,
 * even if its id now belongs to another program or a zombie.
 */
export function runningPostmaster(clusterPath: string): Running | undefined {
  const pidFile = join(clusterPath, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(pidFile, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  const program = Number.isInteger(pid) && pid > 0 && isAlive(pid) ? programOf(pid) : undefined;
  if (program?.startsWith('postgres')) return { pid, port };
  rmSync(pidFile, { force: true });
  return undefined;
}

/** The state of a server: it rejects our password, is silent, or is gone. */
export type Reply = 'answers' | 'refuses' | 'silent';

const WRONG_PASSWORD = '28P01';

/** Waits while the server starts or recovers. */
export async function responses(url: string, isGone: () => boolean): Promise<Reply> {
  const response = await pollUntil(async () => (isGone() ? 'silent' : await tryConnect(url)), {
    timeoutMs: READY_TIMEOUT_MS,
    everyMs: 20,
  });
  return response ?? 'silent';
}

async function tryConnect(url: string): Promise<Reply | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return 'answers';
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD;
    return isRefused ? 'refuses' : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starts a server on a cluster. It outlives us unless stopped, and logs its errors to `log`. */
export function spawnPostmaster(options: {
  postgres: string;
  view: ClusterView;
  port: number;
  user: SystemUser | undefined;
  logDescriptor: number | undefined;
}): ChildProcess {
  const settings = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    // Their folder would have to be writable for PostgreSQL's user; TCP works for every user.
    unix_socket_directories: '',
    max_connections: '100',
    logging_collector: 'off',
    log_min_messages: 'warning',
  };
  const child = spawn(
    options.postgres,
    [
      '-D',
      options.view.path,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: options.view.cwd,
      env: bareEnvironment(),
      // Ctrl-C reaches the whole foreground group; we stop the database last.
      detached: true,
      stdio: ['ignore', options.logDescriptor ?? 'ignore', options.logDescriptor ?? 'ignore'],
      ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
    },
  );
  child.unref();
  return child;
}

/** Stops a server: first a fast shutdown, then an immediate one. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 2_500],
    ['SIGQUIT', 1_000],
    ['SIGKILL', 1_000],
  ] as const) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await pollUntil(() => !isAlive(pid) || undefined, { timeoutMs: timeoutMs })) return;
  }
}
