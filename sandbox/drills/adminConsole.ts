import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import type { DatabaseCluster } from '#sandbox/cluster/databaseCluster.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { environmentOf } from '#sandbox/process/siblings.ts';
import { loadSecrets, type Secrets } from '#sandbox/secrets.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { SERVERS, type Stack } from '#sandbox/stack/startStack.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const STACK_ENVIRONMENT = { SERVE_PAGES: 'false' };
/** All requests of a drill come from one address. */
const ON_CLUSTER = { DATABASE_FAILOVER: 'synchronous', RATE_LIMIT_NETWORK_FACTOR: '10000' };

/** The result of a command: its whole output, and its exit code. */
export type CommandResult = { code: number; output: string };

/** The place of a drill: a sandbox of its own, and the commands of its runbook. */
export type AdminConsole = {
  sandbox(): SandboxDescription;
  dataDir: string;
  /** The database of this drill. @throws when it is the embedded one */
  cluster(): DatabaseCluster;
  secrets(): Promise<Secrets>;
  /**
   * Runs a command as the runbook prints it, with its `<placeholders>` filled in.
   * @throws when it fails, unless `expectCode` expects that
   */
  run(command: string, values?: Values, expectCode?: number): Promise<CommandResult>;
  status(): Promise<ServiceStatus>;
  /** Waits until the service's status matches. @throws on timeout */
  untilStatus(
    what: string,
    holds: (status: ServiceStatus) => boolean,
    timeoutMs?: number,
  ): Promise<ServiceStatus>;
  /** A private file of this drill, for a key or a backup. */
  file(name: string, content?: string): string;
  /** Restarts everything on the same data; `change` runs between stop and start. */
  restart(change?: () => Promise<void> | void): Promise<void>;
  say(line: string): void;
  close(): Promise<void>;
};

type Values = Readonly<Record<string, string>>;

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });

/** @param cluster the database of the sandbox, instead of the embedded one */
export async function openAdminConsole(
  say: (line: string) => void,
  cluster?: DatabaseCluster,
): Promise<AdminConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-drill-'));
  const papers = mkdtempSync(join(tmpdir(), 'crossbook-drill-papers-'));
  const environment = {
    ...STACK_ENVIRONMENT,
    ...(cluster && {
      ...ON_CLUSTER,
      DATABASE_URL: cluster.url,
      DATABASE_DIRECT_URL: cluster.directUrl,
      DATABASE_REPLICA_URLS: cluster.memberUrls,
    }),
  };
  const start = () => startTestStack({ dataDir, environment, servers: SERVERS });
  let stack: Stack = await start();
  const sandbox = () => stack.description();
  const status = async () => {
    const response = await fetch(`${sandbox().baseUrl}/v1/status`);
    return (await response.json()) as ServiceStatus;
  };
  return {
    sandbox,
    dataDir,
    say,
    status,
    secrets: () => loadSecrets(stack.folder.secrets),
    cluster() {
      if (!cluster) throw new Error('this drill has no database cluster');
      return cluster;
    },
    async run(command, values = {}, expectCode = 0) {
      if (cluster && /^(patronictl|pgbackrest) /.test(command)) {
        return await runOnMachine(cluster, command);
      }
      // Beside a database of its own, a sandbox's commands take everything from the environment.
      const [processor] = cluster ? sandbox().pids.processor : [];
      const variables = processor === undefined ? {} : environmentOf(processor);
      return runCommand({ CROSSBOOK_DATA: dataDir, ...variables }, command, values, expectCode);
    },
    async untilStatus(what, holds, timeoutMs = 30_000) {
      let last: ServiceStatus | undefined;
      const found = await pollUntil(
        async () => {
          last = await status();
          return holds(last) ? last : undefined;
        },
        { timeoutMs, everyMs: 250 },
      );
      if (found) return found;
      throw new Error(`the status never said that ${what}: ${JSON.stringify(last)}`);
    },
    file(name, content) {
      const path = join(papers, name);
      if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
    async restart(change) {
      await stack.stop();
      await change?.();
      stack = await start();
    },
    async close() {
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(papers, { recursive: true, force: true });
    },
  };
}

/** Splits a command line into words, with a shell's quoting. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
}

function filled(word: string, values: Values): string {
  return word.replaceAll(/<([a-z-]+)>/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the command needs <${name}>`);
    return value;
  });
}

/** The program of an npm script: `node scripts/launch.mjs scripts/ops.ts`. */
function programOf(script: string): string {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')),
  );
  const program = /^node scripts\/launch\.mjs (scripts\/\S+\.ts)$/.exec(
    manifest.scripts[script] ?? '',
  )?.[1];
  if (program === undefined) throw new Error(`npm run ${script} is no command of ours`);
  return program;
}

/** On the primary's machine, with the paths that its configuration has here. */
async function runOnMachine(cluster: DatabaseCluster, command: string): Promise<CommandResult> {
  const machine = await cluster.untilHealthy();
  const [program, ...words] = wordsOf(command);
  if (program !== 'patronictl' && program !== 'pgbackrest') {
    throw new Error(`not a command of the database cluster: ${command}`);
  }
  const args = words.map((word) =>
    word.replace('/etc/crossbook-database', cluster.fileOf(machine, '')),
  );
  return { code: 0, output: machine.run(program, args) };
}

async function runCommand(
  variables: Values,
  command: string,
  values: Values,
  expectCode: number,
): Promise<CommandResult> {
  const [npm, run, script = '', dashes, ...given] = wordsOf(command);
  if (npm !== 'npm' || run !== 'run' || (dashes !== undefined && dashes !== '--')) {
    throw new Error(`not a command of npm: ${command}`);
  }
  const { PATH, HOME, USER } = process.env;
  const child = spawn(
    process.execPath,
    [programOf(script), ...given.map((word) => filled(word, values))],
    {
      cwd: PROJECT,
      env: { PATH, HOME, USER, ...variables, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
  const [printed, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  const output = `${printed}${complaints}`;
  if (code !== expectCode) {
    throw new Error(`${command}\nended with ${code}, not ${expectCode}:\n${output}`);
  }
  return { code, output };
}

/** Every log line of all parts of a sandbox. */
export function readLogs(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
