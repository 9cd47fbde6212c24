import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from '#sandbox/problem.ts';
import { writeWhole } from '#sandbox/process/atomicFile.ts';
import { bareEnvironment } from './bareEnvironment.ts';
import { type Binaries, POSTGRES_MAJOR } from './binaries.ts';
import type { ClusterView } from './clusterView.ts';
import type { SystemUser } from './unprivilegedUser.ts';

export const DATABASE_USER = 'crossbook';
const DRAFT_PREFIX = 'making-';

const passwordFileOf = (home: string) => join(home, 'password');

/**
 * The secret of the cluster's only user, readable by its owner alone.
 * @throws {StartProblem} when its file is missing or empty
 */
export function clusterPassword(home: string): string {
  const path = passwordFileOf(home);
  const password = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (password !== '') return password;
  throw wrongPassword(path, 'is missing');
}

/** The password file does not match the cluster. */
export function foreignPassword(home: string): StartProblem {
  return wrongPassword(passwordFileOf(home), 'is not the one it was made with');
}

function wrongPassword(path: string, what: string): StartProblem {
  return new StartProblem(
    `The password of the database, in ${path}, ${what}.`,
    'Put that file back from a backup of the data folder, or start afresh: npm run reset wipes the data folder.',
  );
}

/**
 * Fails before PostgreSQL does, with a message that names the cure.
 * @throws {StartProblem} when the folder is no cluster, is incomplete, or is of another version
 */
export function checkCluster(clusterPath: string): void {
  const versionFile = join(clusterPath, 'PG_VERSION');
  const needed = [versionFile, join(clusterPath, 'global', 'pg_control')];
  if (!needed.every((path) => existsSync(path))) {
    throw damagedCluster(clusterPath, 'files that every database has are missing');
  }
  const major = readFileSync(versionFile, 'utf8').trim();
  if (major !== POSTGRES_MAJOR) {
    throw new StartProblem(
      `The database in ${clusterPath} was made by PostgreSQL ${major}; this release brings ${POSTGRES_MAJOR}.`,
      `Move the data with pg_dump and pg_restore, or start afresh: npm run reset wipes the data folder.`,
    );
  }
}

export function damagedCluster(clusterPath: string, reason: string): StartProblem {
  return new StartProblem(
    `The database in ${clusterPath} is damaged: ${reason}.`,
    'Put a backup of the data folder back, or start afresh: npm run reset wipes the data folder.',
  );
}

/**
 * Creates an empty cluster. It is built aside and renamed into place, so an interrupted first start
 * leaves nothing partial.
 */
export async function createCluster(
  home: string,
  clusterPath: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  viewOf: (path: string) => ClusterView,
): Promise<void> {
  // The caller holds the start lock, so an older attempt is dead.
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(DRAFT_PREFIX))) {
    rmSync(join(home, name), { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(home, DRAFT_PREFIX));
  try {
    const draftCluster = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    mkdirSync(draftCluster, { mode: 0o700 });
    // A failed attempt may have left one; nothing uses it.
    writeWhole(passwordFileOf(home), randomBytes(24).toString('base64url'));
    writeWhole(passwordFile, clusterPassword(home));
    if (user) {
      for (const path of [draft, draftCluster, passwordFile]) chownSync(path, user.uid, user.gid);
    }
    const view = viewOf(draftCluster);
    await runInitdb(binaries.initdb, view, user);
    renameSync(draftCluster, clusterPath);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function runInitdb(initdb: string, view: ClusterView, user: SystemUser | undefined) {
  const options = [
    `--pgdata=${view.path}`,
    `--username=${DATABASE_USER}`,
    `--pwfile=${view.path}/../password`,
    '--auth=scram-sha-256',
    // Independent of the machine's locale: without one, initdb would choose SQL_ASCII.
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  const child = spawn(initdb, options, {
    cwd: view.cwd,
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (exit, signal) => resolve(exit ?? String(signal)));
  });
  if (code === 0) return;
  const reason = output.trim().split('\n').slice(-3).join(' / ') || String(code);
  throw new StartProblem(
    `PostgreSQL could not make its data folder: ${reason}`,
    'Check that the disk has room and the folder can be written, or name a database of your own in DATABASE_URL.',
  );
}
