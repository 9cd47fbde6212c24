import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartProblem } from '#sandbox/problem.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { bareEnvironment, createMachine, createNetwork, type Machine } from './machine.ts';
import { missingForCluster, programPath } from './programs.ts';

const PREPARE = fileURLToPath(new URL('../../deploy/cluster/prepare.sh', import.meta.url));
const OWNER = 'crossbook_owner';
const START_MS = 90_000;

/** A member as Patroni describes it at `/cluster`. */
type Member = { name: string; role: string; state: string; timeline?: number; lag?: number };

/**
 * The cluster of docs/DEPLOYMENT.md on this machine: three machines, each a network namespace with
 * etcd, Patroni and PostgreSQL, and beside the programs HAProxy and PgBouncer. All of them run from
 * the files of deploy/cluster, in which only folders and ports differ.
 */
export type DatabaseCluster = {
  folder: string;
  machines: readonly Machine[];
  /** For DATABASE_URL: PgBouncer, in transaction mode. */
  url: string;
  /** For DATABASE_DIRECT_URL: the primary, whichever it is. */
  directUrl: string;
  /** For DATABASE_REPLICA_URLS: every member itself; the primary among them is not used. */
  memberUrls: string;
  fileOf(machine: Machine, name: string): string;
  /** Resolves with the primary once all members follow it. */
  untilHealthy(timeoutMs?: number): Promise<Machine>;
  /** Waits until another machine is the primary, and returns it. */
  untilPromoted(before: Machine, timeoutMs?: number): Promise<Machine>;
  /** The synchronous standby. */
  untilSynchronous(): Promise<Machine>;
  /** Changes Patroni's settings of the whole cluster, as `patronictl edit-config` does. */
  configure(change: object): Promise<void>;
  startMachine(machine: Machine): void;
  /** Ends the current segment of the primary's log, so that it is archived; returns its name. */
  switchLog(): Promise<string>;
  /**
   * Replaces the cluster by its backup, as of a moment; docs/runbooks/point-in-time-recovery.md.
   * Resolves when there is a primary, while the standbys still copy it.
   */
  restoreTo(moment: string): Promise<void>;
  stop(): void;
};

/** @throws {StartProblem} when this machine lacks a program */
export async function startDatabaseCluster(): Promise<DatabaseCluster> {
  const missing = missingForCluster();
  if (missing.length > 0) {
    throw new StartProblem(
      `A database cluster on this machine needs ${missing.join(', ')}.`,
      'Install it and run as root: apt-get install patroni etcd-server etcd-client haproxy pgbouncer pgbackrest postgresql-15',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-cluster-'));
  chmodSync(folder, 0o711);
  const network = createNetwork(randomBytes(3).toString('hex'), `10.213.${randomInt(1, 255)}`);
  const machines = [1, 2, 3].map((number) => createMachine(network, number));
  const ports = {
    primary: await anyFreePort(),
    pool: await anyFreePort(),
  };
  const proxies: number[] = [];
  const stop = () => {
    process.off('exit', stop);
    for (const machine of machines) machine.kill();
    for (const pid of proxies) endGroup(pid);
    for (const machine of machines) machine.remove();
    network.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  // Nothing else would end the processes of the namespaces.
  process.on('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const password = randomBytes(24).toString('hex');
    prepare(folder, machines, ports, password);
    const cluster = describe({ folder, machines, ports, password, stop });
    for (const machine of machines) cluster.startMachine(machine);
    proxies.push(
      startProxy(folder, 'haproxy', ['-db', '-f', join(folder, 'programs/haproxy.cfg')]),
    );
    await cluster.untilHealthy(START_MS);
    await createOwner(folder, ports.primary, password);
    proxies.push(startProxy(folder, 'pgbouncer', [join(folder, 'programs/pgbouncer.ini')]));
    await untilReachable(cluster.url);
    return cluster;
  } catch (error) {
    stop();
    throw error;
  }
}

type Ports = { primary: number; pool: number };

/** Runs deploy/cluster/prepare.sh and moves its files to folders and ports of this run. */
function prepare(folder: string, machines: readonly Machine[], ports: Ports, password: string) {
  const { status, stderr } = spawnSync(
    'sh',
    [PREPARE, folder, ...machines.map(({ address }) => address)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`prepare.sh failed: ${stderr}`);
  const backups = join(folder, 'backup');
  for (const name of [...machines.map(({ address }) => address), 'programs']) {
    const own = join(folder, name);
    for (const part of ['run', 'log', 'spool']) mkdirSync(join(own, part));
    for (const file of readdirSync(own).filter((entry) => /\.(yml|conf|cfg|ini)$/.test(entry))) {
      const text = readFileSync(join(own, file), 'utf8')
        .replaceAll('/etc/crossbook-database', own)
        .replaceAll('/run/crossbook-database', join(own, 'run'))
        .replaceAll('/var/log/crossbook-database', join(own, 'log'))
        .replaceAll('/var/lib/crossbook-database', join(own, 'spool'))
        .replaceAll('/var/lib/crossbook-etcd', join(own, 'etcd'))
        .replaceAll('/var/lib/postgresql/crossbook', join(own, 'data'))
        .replaceAll('/srv/crossbook-backup', backups)
        .replaceAll('127.0.0.1:5000', `127.0.0.1:${ports.primary}`)
        .replaceAll('port=5000', `port=${ports.primary}`)
        .replaceAll('6432', String(ports.pool));
      writeFileSync(join(own, file), text);
    }
  }
  writeFileSync(join(folder, 'programs/userlist.txt'), `"${OWNER}" "${password}"\n`);
  mkdirSync(backups);
  giveAway(folder);
}

/** To PostgreSQL's user, whose programs read and write all of it. */
function giveAway(folder: string): void {
  const { uid, gid } = statSync('/var/lib/postgresql');
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, entry), uid, gid);
  }
}

function describe(parts: {
  folder: string;
  machines: readonly Machine[];
  ports: Ports;
  password: string;
  stop: () => void;
}): DatabaseCluster {
  const { folder, machines, ports, password, stop } = parts;
  const secret = (name: string) => readFileSync(join(folder, 'authority', name), 'utf8').trim();
  const through = (host: string, port: number, user = OWNER) =>
    `postgres://${user}:${user === OWNER ? password : secret('superuser')}@${host}:${port}/crossbook?sslmode=verify-full&sslrootcert=${join(folder, 'programs/ca.crt')}`;
  const fileOf = (machine: Machine, name: string) => join(folder, machine.address, name);
  const byName = (name: string) => machines.find((machine) => machine.name === name);
  const until = async (
    what: string,
    timeoutMs: number,
    find: (all: Member[]) => Member | undefined,
    asked = machines,
  ): Promise<Machine> => {
    let last: Member[] = [];
    const machine = await pollUntil(
      async () => {
        last = await readMembers(asked);
        return byName(find(last)?.name ?? '');
      },
      { timeoutMs, everyMs: 200 },
    );
    if (machine) return machine;
    throw new Error(`the database cluster ${what}: ${JSON.stringify(last)}`);
  };
  return {
    folder,
    machines,
    url: `postgres://${OWNER}:${password}@127.0.0.1:${ports.pool}/crossbook`,
    directUrl: through('localhost', ports.primary),
    memberUrls: machines.map(({ address }) => through(address, 5432)).join(','),
    fileOf,
    untilHealthy: (timeoutMs = 120_000) =>
      until('has no primary with two standbys', timeoutMs, healthyLeader),
    untilPromoted: (before, timeoutMs = 60_000) =>
      until(
        'has no new primary',
        timeoutMs,
        (all) => all.find(({ name, role, state }) => isLeader(role, state) && name !== before.name),
        // A frozen machine would delay each reading.
        machines.filter((machine) => machine !== before),
      ),
    untilSynchronous: () =>
      until('has no synchronous standby', 30_000, (all) =>
        all.find(({ role }) => role === 'sync_standby'),
      ),
    async configure(change) {
      const response = await firstResponse(machines, '/config', {
        method: 'PATCH',
        headers: { authorization: `Basic ${btoa(`patroni:${secret('restapi')}`)}` },
        body: JSON.stringify(change),
      });
      if (!response?.isOk) throw new Error(`Patroni refused the change: ${response?.text}`);
    },
    startMachine(machine) {
      startEtcd(folder, machine);
      startPatroni(folder, machine);
    },
    async switchLog() {
      const client = new pg.Client({
        connectionString: through('localhost', ports.primary, 'postgres'),
      });
      await client.connect();
      try {
        const { rows } = await client.query<{ file: string }>(
          'select pg_walfile_name(pg_switch_wal()) as file',
        );
        return rows[0]?.file ?? '';
      } finally {
        await client.end();
      }
    },
    async restoreTo(moment) {
      await emptyCluster(folder, machines);
      const [first, ...others] = machines;
      if (!first) throw new Error('the cluster has no machines');
      const config = fileOf(first, 'patroni.yml');
      const usual = readFileSync(config, 'utf8');
      writeFileSync(fileOf(first, 'restore-target'), moment, { mode: 0o644 });
      writeFileSync(config, usual.replace('# method: restore', 'method: restore'));
      startPatroni(folder, first);
      await until('has no primary after the restore', 600_000, (all) =>
        all.find(({ role, state }) => isLeader(role, state)),
      );
      writeFileSync(config, usual);
      for (const machine of others) startPatroni(folder, machine);
    },
    stop,
  };
}

function startEtcd(folder: string, machine: Machine): void {
  const own = join(folder, machine.address);
  machine.start('etcd', ['--config-file', join(own, 'etcd.yml')], join(own, 'log/etcd.log'));
}

function startPatroni(folder: string, machine: Machine): void {
  const own = join(folder, machine.address);
  machine.start('patroni', [join(own, 'patroni.yml')], join(own, 'log/patroni.log'));
}

/** Ends all databases, and what etcd and the disks know of them. */
async function emptyCluster(folder: string, machines: readonly Machine[]): Promise<void> {
  for (const machine of machines) {
    machine.kill();
    rmSync(join(folder, machine.address, 'data'), { recursive: true, force: true });
    startEtcd(folder, machine);
  }
  const [first] = machines;
  const own = join(folder, first?.address ?? '');
  const tls = [
    `--ca-file=${join(own, 'ca.crt')}`,
    `--cert-file=${join(own, 'server.crt')}`,
    `--key-file=${join(own, 'server.key')}`,
  ];
  const endpoint = `--endpoints=https://${first?.address}:2379`;
  const forget = () => {
    try {
      first?.run('etcdctl', [endpoint, ...tls, 'rm', '--recursive', '/database/crossbook']);
      return true;
    } catch {
      // The majority elects its leader first.
      return undefined;
    }
  };
  const done = await pollUntil(forget, { timeoutMs: 60_000, everyMs: 500 });
  if (!done) throw new Error('etcd does not forget the cluster');
}

const isLeader = (role: string, state: string) => role === 'leader' && state === 'running';

function healthyLeader(all: Member[]): Member | undefined {
  const leader = all.find(({ role, state }) => isLeader(role, state));
  const followers = all.filter(
    ({ role, state, timeline }) =>
      role !== 'leader' && /^(running|streaming)$/.test(state) && timeline === leader?.timeline,
  );
  return leader && followers.length === all.length - 1 && all.length === 3 ? leader : undefined;
}

async function firstResponse(
  machines: readonly Machine[],
  path: string,
  options: RequestInit = {},
): Promise<{ isOk: boolean; text: string } | undefined> {
  for (const { address } of machines) {
    try {
      const signal = AbortSignal.timeout(1_500);
      const response = await fetch(`http://${address}:8008${path}`, { ...options, signal });
      return { isOk: response.ok, text: await response.text() };
    } catch {
      // This one is lost; the next knows as much.
    }
  }
  return undefined;
}

/** The newest view: a machine that is cut off describes what it remembers. */
async function readMembers(machines: readonly Machine[]): Promise<Member[]> {
  const views = await Promise.all(
    machines.map(async (machine) => {
      const response = await firstResponse([machine], '/cluster');
      if (!response?.isOk) return [];
      return (JSON.parse(response.text) as { members: Member[] }).members;
    }),
  );
  const newest = views.toSorted((a, b) => timelineOf(b) - timelineOf(a));
  return newest[0] ?? [];
}

const timelineOf = (members: Member[]) =>
  Math.max(0, ...members.filter(({ role }) => role === 'leader').map((one) => one.timeline ?? 0));

async function createOwner(folder: string, port: number, password: string): Promise<void> {
  const superuser = readFileSync(join(folder, 'authority/superuser'), 'utf8').trim();
  const url = `postgres://postgres:${superuser}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${join(folder, 'programs/ca.crt')}`;
  await untilReachable(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create role ${OWNER} login createrole password '${password}'`);
    // What `npm run db:roles` gives each role of ours.
    await client.query(`alter role ${OWNER} set idle_in_transaction_session_timeout = '5s'`);
    await client.query(`create database crossbook owner ${OWNER}`);
  } finally {
    await client.end();
  }
}

async function untilReachable(url: string): Promise<void> {
  let last: unknown;
  const answered = await pollUntil(
    async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1');
        return true;
      } catch (error) {
        last = error;
        return undefined;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    { timeoutMs: 30_000, everyMs: 200 },
  );
  if (!answered)
    throw new Error('the database does not respond through its proxies', { cause: last });
}

/** Starts a program beside ours, as the user to whom the files belong. */
function startProxy(folder: string, program: 'haproxy' | 'pgbouncer', args: string[]): number {
  const log = openSync(join(folder, `programs/log/${program}.txt`), 'a', 0o600);
  const user = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
  const child = spawn(programPath('setpriv'), [...user, programPath(program), ...args], {
    cwd: '/',
    env: bareEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child.pid ?? 0;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
