import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { isAlive } from '#sandbox/process/liveness.ts';
import { PROGRAM_PATH, programPath } from './programs.ts';

/** PostgreSQL, Patroni and pgBackRest refuse to run as root. */
const USER = 'postgres';
const MOST_TRIES = 500;

/** A machine of the database cluster: a network namespace with the processes in it. */
export type Machine = {
  name: string;
  address: string;
  /** Starts a program that runs until the machine is lost or stopped. */
  start(program: Parameters<typeof programPath>[0], args: string[], logFile: string): void;
  /** Runs a program to its end. @throws with its output when it fails */
  run(program: Parameters<typeof programPath>[0], args: string[]): string;
  pids(): number[];
  /** Power off: every process is gone at once. */
  kill(): void;
  /** One program dies; the others run on. */
  killProgram(program: Parameters<typeof programPath>[0]): void;
  /** The host stops scheduling it: nothing runs, connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Its cable is pulled: everything runs, no packet passes. */
  cut(): void;
  reconnect(): void;
  /** Drops what this machine's database sends to another one, and nothing else. */
  muteReplication(to: Machine): void;
  remove(): void;
};

/** A bridge with an address of ours, to which machines are connected. */
export type Network = { addressOf(number: number): string; remove(): void; bridge: string };

export function createNetwork(id: string, subnet: string): Network {
  const bridge = `cb${id}`;
  ip(['link', 'add', bridge, 'type', 'bridge']);
  ip(['addr', 'add', `${subnet}.254/24`, 'dev', bridge]);
  ip(['link', 'set', bridge, 'up']);
  return {
    bridge,
    addressOf: (number) => `${subnet}.${number}`,
    remove: () => ip(['link', 'del', bridge]),
  };
}

export function createMachine(network: Network, number: number): Machine {
  const namespace = `${network.bridge}-${number}`;
  const address = network.addressOf(number);
  const [outside, inside] = [`${network.bridge}o${number}`, `${network.bridge}i${number}`];
  ip(['netns', 'add', namespace]);
  ip(['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside]);
  ip(['link', 'set', inside, 'netns', namespace]);
  ip(['link', 'set', outside, 'master', network.bridge]);
  ip(['link', 'set', outside, 'up']);
  const within = (args: string[]) => ip(['netns', 'exec', namespace, programPath('ip'), ...args]);
  within(['addr', 'add', `${address}/24`, 'dev', inside]);
  within(['link', 'set', inside, 'up']);
  within(['link', 'set', 'lo', 'up']);
  const commandOf = (program: string, args: string[]) => [
    'netns',
    'exec',
    namespace,
    programPath('setpriv'),
    `--reuid=${USER}`,
    `--regid=${USER}`,
    '--init-groups',
    program,
    ...args,
  ];
  const pids = () => ip(['netns', 'pids', namespace]).split('\n').filter(Boolean).map(Number);
  const started = new Map<string, number | undefined>();
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids()) signalTo(pid, name);
  };
  return {
    name: `db-${number}`,
    address,
    pids,
    start(program, args, logFile) {
      const log = openSync(logFile, 'a', 0o600);
      const child = spawn(programPath('ip'), commandOf(programPath(program), args), {
        cwd: '/',
        env: bareEnvironment(),
        detached: true,
        stdio: ['ignore', log, log],
      });
      child.unref();
      // `ip` and `setpriv` become the program, so its process has this id.
      started.set(program, child.pid);
      closeSync(log);
    },
    run: (program, args) => ip(commandOf(programPath(program), args)),
    kill() {
      // Children appear between a listing and its signals.
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const running = pids().filter(isAlive);
        if (running.length === 0) return;
        for (const pid of running) signalTo(pid, 'SIGKILL');
      }
      throw new Error(`the processes of ${namespace} do not end`);
    },
    killProgram(program) {
      const pid = started.get(program);
      if (pid === undefined) throw new Error(`${program} was not started on ${namespace}`);
      process.kill(pid, 'SIGKILL');
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    cut: () => void ip(['link', 'set', outside, 'down']),
    reconnect: () => void ip(['link', 'set', outside, 'up']),
    muteReplication(to) {
      // A rule of routing, because kernels come without the modules of packet filters.
      within(`rule add to ${to.address}/32 ipproto tcp sport 5432 blackhole`.split(' '));
    },
    remove() {
      ip(['netns', 'del', namespace]);
    },
  };
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Of the cluster's programs: nothing of ours, and every folder that holds a program. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    PATH: PROGRAM_PATH,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ETCDCTL_API: '2',
  };
}

function ip(args: string[]): string {
  const { status, stdout, stderr } = spawnSync(programPath('ip'), args, {
    encoding: 'utf8',
    cwd: '/',
    env: bareEnvironment(),
  });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.trim()}\n${stdout.trim()}`);
  return stdout.trim();
}
