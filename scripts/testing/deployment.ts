import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import pg from 'pg';
import type { Hex } from 'viem';
import { vaultCreations } from '#lib/vaultCreations.ts';
import { type RunningDatabase, startDatabase } from '#sandbox/database/startDatabase.ts';
import {
  COMPILE_CACHE,
  type NodeChildOptions,
  startNodeChild,
} from '#sandbox/process/nodeChild.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { silentProgress } from '#sandbox/stack/progress.ts';
import { type Stack, startStack } from '#sandbox/stack/startStack.ts';
import type { DatabaseRole } from '#server/platform/database/roles/grants.ts';

export type Variables = Record<string, string | undefined>;

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PLAIN: NodeJS.ProcessEnv = {
  NODE_ENV: 'production',
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
};

/** A chain and an exchange, a database, and the programs of the documentation on top of them. */
export type Deployment = {
  owner: pg.Client;
  ownerUrl: string;
  urls: Record<DatabaseRole, string>;
  passwords: Record<DatabaseRole, string>;
  folder: string;
  /** Of the chain and the exchange. */
  dataDir: string;
  files: Record<
    'common' | 'web' | 'processor' | 'notifications' | 'attestor' | 'resolver',
    Variables
  >;
  stop: () => Promise<void>;
};

/** Starts the environment of a deployment, without the programs themselves. */
export async function startSurroundings(): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-deployment-'));
  const dataDir = join(folder, 'data');
  const [stack, database] = await Promise.all([
    startStack({
      dataDir,
      port: await anyFreePort(),
      environment: { PATH: process.env.PATH },
      progress: silentProgress,
      innerPorts: 'any',
      outsideOnly: true,
    }),
    startDatabase({ dataDir: join(folder, 'postgres'), port: await anyFreePort() }),
  ]);
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const passwords = {
    web: password(),
    processor: password(),
    notifications: password(),
    operator: password(),
  };
  return {
    owner,
    ownerUrl: database.url,
    passwords,
    urls: {
      web: urlFor(database, 'web', passwords.web),
      processor: urlFor(database, 'processor', passwords.processor),
      notifications: urlFor(database, 'notifications', passwords.notifications),
      operator: urlFor(database, 'operator', passwords.operator),
    },
    folder,
    dataDir,
    files: readFiles(stack),
    async stop() {
      await owner.end();
      await Promise.all([stack.stop(), database.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const password = () => randomBytes(24).toString('hex');

function urlFor(database: RunningDatabase, role: DatabaseRole, secret: string): string {
  const url = new URL(database.url);
  url.username = `crossbook_${role}`;
  url.password = secret;
  return url.href;
}

function readFiles({ folder }: Stack): Deployment['files'] {
  const read = (name: string) =>
    parseEnv(readFileSync(join(folder.environment, `${name}.env`), 'utf8')) as Variables;
  return {
    common: read('common'),
    web: read('web'),
    processor: read('processor'),
    attestor: read('attestor'),
    resolver: read('resolver'),
    notifications: read('notifications'),
  };
}

/** What tools need to trade at one of its web servers. */
export function describeDeployment(
  { files: { common } }: Deployment,
  at: { baseUrl: string; apiKey: string },
) {
  const swapVault = common.SWAP_VAULT_ADDRESS as Hex;
  return {
    ...at,
    rpcUrl: common.CHAIN_RPC_URL ?? '',
    contracts: {
      usdc: common.USDC_ADDRESS as Hex,
      outcomeToken: common.OUTCOME_TOKEN_ADDRESS as Hex,
      swapVault,
      settlement: vaultCreations(swapVault).settlement,
      accountFactory: common.ACCOUNT_FACTORY_ADDRESS as Hex,
    },
  };
}

export type Program = RunningPart & { opsUrl: string; logFile: string };

/** Starts a program and waits until it reports that it is ready. */
export async function startProgram(
  deployment: Deployment,
  name: string,
  options: Pick<NodeChildOptions, 'entry' | 'environment'>,
): Promise<Program> {
  const opsPort = await anyFreePort();
  const logFile = join(deployment.folder, `${name}.log`);
  const part = await startNodeChild({
    ...options,
    title: name,
    environment: { PATH: process.env.PATH, OPS_PORT: String(opsPort), ...options.environment },
    logFile,
    stopTimeoutMs: 12_000,
    signal: new AbortController().signal,
  });
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const isReady = async () => ((await fetch(`${opsUrl}/readyz`)).ok ? true : undefined);
  if (!(await pollUntil(isReady))) throw new Error(`${name} is not ready`);
  return { ...part, opsUrl, logFile };
}

/** Runs a script of ours to its end. */
export function runScript(script: string, args: readonly string[], environment: Variables) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: PROJECT,
      env: { ...PLAIN, ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Starts a program that must fail, and returns its output. */
export function startRefused(entry: string, environment: Variables) {
  const { status, stderr } = spawnSync(process.execPath, [entry], {
    cwd: PROJECT,
    env: { ...PLAIN, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stderr };
}
