import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { StartProblem } from '#sandbox/problem.ts';

export type SystemUser = { uid: number; gid: number; name: string };

/** Candidate users, best first; the last exists on practically every system. */
const CANDIDATES = ['crossbook', 'postgres'] as const;
const LAST_RESORT = 'nobody';

/**
 * PostgreSQL refuses to run as root. For root this returns the user to run it as: the owner of an
 * existing cluster, else a service user, created if necessary and possible.
 * @returns undefined when this process is not root and PostgreSQL runs as the current user.
 */
export function userForPostgres(clusterPath: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers();
  if (existsSync(clusterPath)) {
    const owner = users.find((user) => user.uid === statSync(clusterPath).uid);
    if (owner && owner.uid !== 0) return owner;
  }
  const byName = (name: string) => users.find((user) => user.name === name && user.uid !== 0);
  const existing = CANDIDATES.map(byName).find((user) => user !== undefined);
  const found = existing ?? createUser(CANDIDATES[0]) ?? byName(LAST_RESORT);
  if (found) return found;
  throw new StartProblem(
    'PostgreSQL does not run as root, and this system has no other user to run it as.',
    'Start as an ordinary user, or name a database of your own in DATABASE_URL.',
  );
}

/** Whether `user` may enter a folder or run a file, checked as that user. */
export function canReach(user: SystemUser, path: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'test -r "$0" && test -x "$0"', path], {
    uid: user.uid,
    gid: user.gid,
    cwd: '/',
    stdio: 'ignore',
  });
  return tried.status === 0;
}

function createUser(name: string): SystemUser | undefined {
  const made = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
    { stdio: 'ignore' },
  );
  return made.status === 0 ? readUsers().find((user) => user.name === name) : undefined;
}

function readUsers(): SystemUser[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
