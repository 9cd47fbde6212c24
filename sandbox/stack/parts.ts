import { randomBytes } from 'node:crypto';
import { openChainGate } from '#sandbox/chain/chainGate.ts';
import { prepareSandboxChain } from '#sandbox/chain/prepareSandboxChain.ts';
import { startChain } from '#sandbox/chain/startChain.ts';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import type { ContractAddresses, Environment, RoleUrls } from '#sandbox/environment.ts';
import { keysToText } from '#sandbox/exchange/keys.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { appendToLog, rotateLog, truncateLog } from '#sandbox/process/logFile.ts';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import { anyFreePort, freePortFrom } from '#sandbox/process/ports.ts';
import {
  type Incident,
  type RunningPart,
  runSupervised,
  type Supervised,
  whenExited,
} from '#sandbox/process/supervised.ts';
import type { Secrets } from '#sandbox/secrets.ts';
import { ensureApiKey } from '#server/domain/auth/apiKeys.ts';
import type { Config } from '#server/platform/config/config.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import { applyRoles, DEFAULT_ROLE_NAMES } from '#server/platform/database/roles/applyRoles.ts';
import type { DatabaseRole } from '#server/platform/database/roles/grants.ts';
import type { DataFolder } from './dataFolder.ts';
import type { SandboxDescription } from './description.ts';
import type { Progress } from './progress.ts';

type PartName = keyof SandboxDescription['pids'];

/** What each part needs to be started and supervised. */
export type PartContext = {
  folder: DataFolder;
  secrets: Secrets;
  environment: Environment;
  port: number;
  /** The public URL of the web server. */
  baseUrl: string;
  innerPorts: 'usual' | 'any';
  progress: Progress;
  signal: AbortSignal;
  onLine?: ((part: string, line: string) => void) | undefined;
  onIncident: (incident: Incident) => void;
  onChange: () => void;
  keep: (name: PartName, starting: Promise<Supervised>) => Promise<void>;
};

const USUAL_PORTS = { database: 54_320, chain: 8545, exchange: 8585 };
/** The service's cash at the sandbox exchange. */
const EXCHANGE_BALANCE_MICROS = 10_000_000n * 1_000_000n;
const LOG_CHECK_MS = 10_000;

/** Together with the second round, for chain and database, within the promised five seconds. */
const STOP_TIMEOUT_MS = 3_200;

export async function runDatabase(part: PartContext): Promise<string> {
  return await part.progress.step('Database', async (remark) => {
    const logFile = logOf(part, 'database');
    let url: string | undefined;
    let port = await innerPort(part, 'database');
    await supervise(part, 'database', async () => {
      const database = await startDatabase({ dataDir: part.folder.database, port, logFile });
      if (url !== undefined && database.url !== url) {
        await database.stop();
        throw new Error('its port is taken by another program');
      }
      if (database.adopted) remark(`taken over, still running from before`);
      url = database.url;
      port = Number(new URL(url).port);
      return { pids: [database.pid], exited: whenExited(database.pid), stop: database.stop };
    });
    return url ?? '';
  });
}

export async function runChain(part: PartContext): Promise<string> {
  return await part.progress.step('Chain', async () => {
    const logFile = logOf(part, 'chain');
    const gate = await openChainGate({
      port: await innerPort(part, 'chain'),
      journalFile: part.folder.chainJournal,
      dataDir: part.folder.chain,
    });
    await supervise(part, 'chain', async () => {
      const chain = await startChain({
        dataDir: part.folder.chain,
        port: await anyFreePort(),
        allowOrigin: part.baseUrl,
        isSaved: true,
        onExit: (how) => {
          gate.detach();
          appendToLog(logFile, `the chain ended: ${how}`);
        },
      });
      await gate.attach(chain.rpcUrl).catch(async (error: unknown) => {
        await chain.stop();
        throw error;
      });
      const stop = async () => {
        await chain.stop();
        if (part.signal.aborted) await gate.close();
      };
      return { ...chain, stop };
    }).catch(async (error: unknown) => {
      await gate.close();
      throw error;
    });
    return gate.url;
  });
}

/** Deploys the contracts, once, and gives every role its gas. */
export async function prepareChain(part: PartContext, rpcUrl: string): Promise<ContractAddresses> {
  return await part.progress.step('Contracts', async () => {
    const prepared = await prepareSandboxChain({
      rpcUrl,
      keys: { ...part.secrets.chain, relayer: part.secrets.relayer },
      tokenUriBase: part.baseUrl,
    });
    return prepared.contracts;
  });
}

export async function runExchange(part: PartContext): Promise<string> {
  return await part.progress.step('Exchange', async () => {
    const port = await innerPort(part, 'exchange');
    await runNode(part, 'exchange', {
      title: 'The exchange',
      entry: 'sandbox/exchange/main.ts',
      environment: {
        ...part.environment,
        EXCHANGE_PORT: String(port),
        EXCHANGE_DATA_DIR: part.folder.exchange,
        EXCHANGE_KEYS: keysToText([
          {
            keyId: part.secrets.exchange.keyId,
            publicKeyPem: part.secrets.exchange.publicKeyPem,
            balanceMicros: EXCHANGE_BALANCE_MICROS,
          },
        ]),
      },
    });
    return `http://127.0.0.1:${port}/trade-api/v2`;
  });
}

export async function migrate(part: PartContext, url: string): Promise<void> {
  await part.progress.step('Tables', async () => {
    try {
      await migrateDatabase(url);
    } catch (cause) {
      const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
      throw new StartProblem(
        `The tables could not be brought up to date: ${reason instanceof Error ? reason.message : String(reason)}`,
        'Put a backup of the data folder back, or start afresh: npm run reset wipes the data folder.',
        { cause },
      );
    }
  });
}

/** Roles of the embedded database, with passwords of this run. */
export async function makeRoles(url: string): Promise<RoleUrls> {
  const passwords = {
    web: newPassword(),
    processor: newPassword(),
    notifications: newPassword(),
    operator: newPassword(),
  };
  await applyRoles(url, { passwords });
  const urlOf = (role: DatabaseRole) => {
    const own = new URL(url);
    own.username = DEFAULT_ROLE_NAMES[role];
    own.password = passwords[role];
    return own.href;
  };
  return {
    web: urlOf('web'),
    processor: urlOf('processor'),
    notifications: urlOf('notifications'),
    operator: urlOf('operator'),
  };
}

const newPassword = () => randomBytes(24).toString('base64url');

/**
 * Registers the two keys of this installation: a secret one for developers, and the publishable one
 * of our own pages.
 * @returns the secret one
 */
export async function ensureApiKeys(part: PartContext, config: Config): Promise<string> {
  const { apiKey } = part.secrets;
  const database = openDatabase({
    url: config.database.url,
    applicationName: 'crossbook-start',
    maxConnections: 2,
  });
  try {
    await ensureApiKey(
      { database },
      { key: apiKey, name: 'First key', scopes: ['read', 'trade', 'withdraw'], origins: [] },
    );
    await ensureApiKey(
      { database },
      {
        key: config.auth.publishableKey,
        name: 'Our own pages',
        scopes: ['read', 'trade', 'withdraw'],
        origins: [config.publicBaseUrl, `http://127.0.0.1:${config.port}`],
      },
    );
  } finally {
    await closeDatabase(database);
  }
  return apiKey;
}

export async function runProcessor(part: PartContext, environment: Environment): Promise<void> {
  await part.progress.step('Order processor', () =>
    runNode(part, 'processor', {
      title: 'The order processor',
      entry: 'server/processor/main.ts',
      environment,
    }),
  );
}

export async function runNotifications(part: PartContext, environment: Environment): Promise<void> {
  await part.progress.step('Notifications', () =>
    runNode(part, 'notifications', {
      title: 'The sender of notifications',
      entry: 'server/notifier/main.ts',
      environment,
    }),
  );
}

export async function runWeb(part: PartContext, environment: Environment, config: Config) {
  await part.progress.step('Web server', async (remark) => {
    await runNode(part, 'web', {
      title: 'The web server',
      entry: 'server/api/main.ts',
      environment,
    });
    remark(config.publicBaseUrl);
  });
}

async function runNode(
  part: PartContext,
  name: PartName,
  program: { title: string; entry: string; environment: Environment },
): Promise<void> {
  const logFile = logOf(part, name);
  const { onLine } = part;
  await supervise(part, name, (signal) =>
    startNodeChild({
      ...program,
      logFile,
      onLine: onLine && ((line) => onLine(name, line)),
      stopTimeoutMs: STOP_TIMEOUT_MS,
      signal,
    }),
  );
}

async function supervise(
  part: PartContext,
  name: PartName,
  start: (signal: AbortSignal) => Promise<RunningPart>,
): Promise<void> {
  // A part started after the shutdown would never be stopped.
  part.signal.throwIfAborted();
  await part.keep(name, runSupervised({ ...part, name, start }));
}

/** The log of a part, emptied for this run and limited in size while it lasts. */
function logOf(part: PartContext, name: PartName): string {
  const path = part.folder.logOf(name);
  rotateLog(path);
  const timer = setInterval(() => truncateLog(path), LOG_CHECK_MS);
  timer.unref();
  part.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return path;
}

function innerPort(part: PartContext, name: keyof typeof USUAL_PORTS): Promise<number> {
  return part.innerPorts === 'any' ? anyFreePort() : freePortFrom(USUAL_PORTS[name]);
}
