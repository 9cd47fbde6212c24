import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartProblem } from '#sandbox/problem.ts';
import { checkCluster } from './cluster.ts';
import { runningPostmaster } from './postmaster.ts';

/** Files that belong to the running server only, or that the next one recreates. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
/** Folders that must exist and be empty; the WAL is copied last. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

const CLUSTER = 'cluster';

/**
 * A physical copy of the embedded database while it runs and is written to: PostgreSQL's own
 * low-level backup, since the packaged binaries bring neither pg_dump nor pg_basebackup.
 * @param options.home the database's folder, which holds `cluster`
 * @param options.target a folder that does not exist yet
 */
export async function backupCluster(options: {
  url: string;
  home: string;
  target: string;
}): Promise<{ bytes: number }> {
  const source = join(options.home, CLUSTER);
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'crossbook-backup',
  });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('crossbook', true)`);
    const copy = { bytes: 0 };
    mkdirSync(options.target, { recursive: true, mode: 0o700 });
    const target = join(options.target, CLUSTER);
    copyTree(source, target, copy, (name, depth) => depth === 1 && EMPTIED.has(name));
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)',
    );
    const [stopped] = rows;
    if (!stopped) throw new Error('PostgreSQL did not say where the backup begins');
    copyTree(join(source, 'pg_wal'), join(target, 'pg_wal'), copy, () => false);
    requireFirstLog(target, stopped.labelfile);
    const label = join(target, 'backup_label');
    writeFileSync(label, stopped.labelfile, { mode: 0o600 });
    ownLike(label, lstatSync(join(source, 'PG_VERSION')));
    return copy;
  } catch (error) {
    rmSync(options.target, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
}

/**
 * Replaces the database, which must not run, with a backup. The old files are kept beside it.
 * @returns the path of the old files
 * @throws {StartProblem} when the server runs or the folder is no backup
 */
export function restoreCluster(options: { home: string; from: string }): string {
  const source = join(options.from, CLUSTER);
  if (!existsSync(join(source, 'backup_label'))) {
    throw new StartProblem(
      `${options.from} is no backup.`,
      'Name a folder that npm run backup made.',
    );
  }
  checkCluster(source);
  const cluster = join(options.home, CLUSTER);
  if (runningPostmaster(cluster)) {
    throw new StartProblem('The database is running.', 'Stop Crossbook first (Ctrl-C).');
  }
  const kept = join(options.home, `replaced-${new Date().toISOString().replaceAll(':', '')}`);
  const draft = join(options.home, 'restoring');
  rmSync(draft, { recursive: true, force: true });
  copyTree(source, draft, { bytes: 0 }, () => false);
  if (existsSync(cluster)) renameSync(cluster, kept);
  renameSync(draft, cluster);
  return kept;
}

/** Without the WAL from the backup's start it could not be made consistent. */
function requireFirstLog(target: string, label: string): void {
  const file = /^START WAL LOCATION: .*\(file ([0-9A-F]+)\)/m.exec(label)?.[1];
  if (file && existsSync(join(target, 'pg_wal', file))) return;
  throw new Error('the log that the backup needs was recycled meanwhile; try again');
}

function copyTree(
  source: string,
  target: string,
  copy: { bytes: number },
  isEmptied: (name: string, depth: number) => boolean,
  depth = 0,
): void {
  const folder = lstatSync(source);
  mkdirSync(target, { recursive: true, mode: folder.mode });
  chmodSync(target, folder.mode);
  ownLike(target, folder);
  for (const name of readdirSync(source)) {
    if (NOT_COPIED.has(name)) continue;
    const from = join(source, name);
    const to = join(target, name);
    const stats = statsOf(from);
    if (!stats) continue;
    if (stats.isDirectory()) {
      if (isEmptied(name, depth + 1)) {
        mkdirSync(to, { recursive: true, mode: stats.mode });
        ownLike(to, stats);
      } else {
        copyTree(from, to, copy, isEmptied, depth + 1);
      }
    } else if (stats.isFile()) {
      copyFile(from, to, stats, copy);
    }
  }
}

/** A file may disappear during the copy: WAL replay covers that. */
function copyFile(from: string, to: string, stats: Stats, copy: { bytes: number }): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  chmodSync(to, stats.mode);
  ownLike(to, stats);
  copy.bytes += stats.size;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Started by root, the server runs as another user, who must keep owning the files. */
function ownLike(path: string, like: Stats): void {
  if (process.getuid?.() === 0) chownSync(path, like.uid, like.gid);
}

/** The backup's start time from its label. */
export function backupTime(from: string): string | undefined {
  const label = join(from, CLUSTER, 'backup_label');
  if (!existsSync(label)) return undefined;
  return /^START TIME: (.+)$/m.exec(readFileSync(label, 'utf8'))?.[1];
}
