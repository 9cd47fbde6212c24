import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian's packages put their programs; not all of it is in an ordinary user's PATH. */
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/usr/lib/postgresql/15/bin',
];

const PACKAGES = {
  patroni: 'patroni',
  patronictl: 'patroni',
  etcd: 'etcd-server',
  etcdctl: 'etcd-client',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  pgbackrest: 'pgbackrest',
  postgres: 'postgresql-15',
  openssl: 'openssl',
  ip: 'iproute2',
  setpriv: 'util-linux',
} as const;

type ClusterProgram = keyof typeof PACKAGES;

export const PROGRAM_PATH = FOLDERS.join(delimiter);

/** The full path of a program of the cluster, or undefined when it is not installed. */
export function findProgram(name: ClusterProgram): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => isProgram(path));
}

/** @throws when the program is not installed */
export function programPath(name: ClusterProgram): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed (package ${PACKAGES[name]})`);
  return path;
}

/** What this machine lacks for a database cluster of its own; empty when nothing. */
export function missingForCluster(): string[] {
  if (process.platform !== 'linux') return ['Linux, for its network namespaces'];
  const names = Object.keys(PACKAGES) as ClusterProgram[];
  const packages = names.filter((name) => !findProgram(name)).map((name) => PACKAGES[name]);
  return [
    ...(process.getuid?.() === 0 ? [] : ['root, for network namespaces']),
    ...[...new Set(packages)].map((name) => `the Debian package ${name}`),
  ];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
