import { rmSync } from 'node:fs';
import { DEMO_WALLETS } from '#sandbox/chain/demoWallets.ts';
import {
  checkEnvironment,
  type Environment,
  embeddedParts,
  notificationsEnvironment,
  type PartAddresses,
  processorEnvironment,
  serverEnvironment,
  webEnvironment,
} from '#sandbox/environment.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { explainFullDisk, requireRoom } from '#sandbox/process/disk.ts';
import { isPortFree } from '#sandbox/process/ports.ts';
import type { Incident, Supervised } from '#sandbox/process/supervised.ts';
import { loadSecrets, type Secrets } from '#sandbox/secrets.ts';
import { type Config, readConfig } from '#server/platform/config/config.ts';
import { awaitMarkets } from './awaitMarkets.ts';
import { buildPages, isBuilt } from './build.ts';
import { claimDataFolder, type DataFolder, isStarted } from './dataFolder.ts';
import { type SandboxDescription, writeDescription } from './description.ts';
import { checkChain, checkDatabase, checkExchange } from './externalParts.ts';
import { endLeftovers, recordProcesses } from './leftovers.ts';
import {
  ensureApiKeys,
  makeRoles,
  migrate,
  type PartContext,
  prepareChain,
  runChain,
  runDatabase,
  runExchange,
  runNotifications,
  runProcessor,
  runWeb,
} from './parts.ts';
import type { Progress } from './progress.ts';
import { writeServiceEnvironment } from './serviceEnvironment.ts';

export type PartName = keyof SandboxDescription['pids'];
export const SERVERS = ['processor', 'notifications', 'web'] as const satisfies PartName[];
export type ServerName = (typeof SERVERS)[number];

export type StackOptions = {
  dataDir: string;
  /** Of the web server. */
  port: number;
  environment: Environment;
  progress: Progress;
  /** Ports that the embedded parts try first; `any` avoids conflicts between several stacks. */
  innerPorts: 'usual' | 'any';
  /** Receives every log line instead of the log files. */
  onLine?: ((part: string, line: string) => void) | undefined;
  onIncident?: (incident: Incident) => void;
  /** Aborts a start in progress. */
  signal?: AbortSignal;
  /** All unless set; none for tools that run while the servers are stopped. */
  servers?: readonly ServerName[];
  /**
   * Only the chain and the exchange, for web servers and processors that are started separately on
   * their own database; `folder.environment` holds their configuration.
   */
  outsideOnly?: boolean;
};

/** What a start writes before any trade: a whole database, or little more than its log. */
const FIRST_ROOM_MIB = 200;
const LATER_ROOM_MIB = 40;
const WRITE_AGAIN_MS = 2_000;

/** A placeholder for the name of an external database. */
const DATABASE_OF_OTHERS = 'postgres://localhost/of-others';

export type Stack = {
  description: () => SandboxDescription;
  folder: DataFolder;
  /** Ends every process that was started, within five seconds. */
  stop: () => Promise<void>;
};

/**
 * Starts every part that the environment does not name, and the servers, and keeps them running. If
 * anything fails, stops the started parts before it throws.
 * @throws {StartProblem} for everything the user can fix
 */
export async function startStack(asked: StackOptions): Promise<Stack> {
  const options = asked.outsideOnly ? withoutDatabase(asked) : asked;
  const { folder, release } = claimDataFolder(options.dataDir);
  const ending = new AbortController();
  const signal = options.signal ? AbortSignal.any([ending.signal, options.signal]) : ending.signal;
  const running: RunningParts = { parts: new Map(), starting: new Set() };
  const stop = async () => {
    ending.abort();
    await Promise.allSettled(running.starting);
    await stopAll(running.parts);
    rmSync(folder.description, { force: true });
    rmSync(folder.processes, { force: true });
    release();
  };
  try {
    const makesDatabase = embeddedParts(options.environment).database && !isStarted(folder);
    requireRoom(folder.root, makesDatabase ? FIRST_ROOM_MIB : LATER_ROOM_MIB);
    const secrets = await loadSecrets(folder.secrets);
    const config = checkEnvironment(options.environment, secrets, options.port);
    if (!options.outsideOnly) await checkExternal(options, config);
    const left = await endLeftovers(folder.processes);
    if (left.length > 0) {
      options.onIncident?.({ part: left.join(', '), text: 'left by a killed run, ended' });
    }
    if (!options.outsideOnly)
      await checkPort(options.port, options.environment.HOST ?? '127.0.0.1');
    const context = { ...options, folder, secrets, signal, running, baseUrl: config.publicBaseUrl };
    const describe = await bringUp(context);
    return { description: describe, folder, stop };
  } catch (error) {
    await stop();
    throw explainFullDisk(error, folder.root);
  }
}

function withoutDatabase(options: StackOptions): StackOptions {
  const environment = {
    ...options.environment,
    SERVE_PAGES: 'false',
    DATABASE_URL: DATABASE_OF_OTHERS,
    DATABASE_DIRECT_URL: undefined,
  };
  return { ...options, environment, servers: [] };
}

type Bringing = Omit<StackOptions, 'signal'> & {
  folder: DataFolder;
  secrets: Secrets;
  signal: AbortSignal;
  running: RunningParts;
  baseUrl: string;
};

type RunningParts = { parts: Map<PartName, Supervised>; starting: Set<Promise<Supervised>> };

async function bringUp(context: Bringing): Promise<() => SandboxDescription> {
  const { folder, running } = context;
  const recordAll = untilWritten(context.signal, () =>
    recordProcesses(folder.processes, pidsOf(running.parts)),
  );
  let publish = recordAll;
  const part: PartContext = {
    ...context,
    progress: untilEnded(context.progress, context.signal),
    keep: async (name, starting) => {
      running.starting.add(starting);
      running.parts.set(name, await starting);
      recordAll();
    },
    onChange: () => publish(),
    onIncident: context.onIncident ?? (() => undefined),
  };
  const needsBuild = context.environment.SERVE_PAGES !== 'false' && !isBuilt();
  const built = !needsBuild
    ? Promise.resolve()
    : part.progress.step('Pages, built once', () =>
        buildPages(folder.logOf('build'), context.signal),
      );
  const ready = bringUpParts(part, built, context);
  // A failing build must not wait for the rest, nor the rest for the build.
  const [description] = await Promise.all([ready, built]);
  const describe = () => ({ ...description, pids: pidsOf(running.parts) });
  const describeAll = untilWritten(context.signal, () =>
    writeDescription(folder.description, describe()),
  );
  publish = () => {
    recordAll();
    describeAll();
  };
  publish();
  return describe;
}

/** Writes the current description, retrying on failure: a full disk must not end the stack. */
function untilWritten(signal: AbortSignal, write: () => void): () => void {
  let again: NodeJS.Timeout | undefined;
  const attempt = () => {
    clearTimeout(again);
    if (signal.aborted) return;
    try {
      write();
    } catch {
      again = setTimeout(attempt, WRITE_AGAIN_MS).unref();
    }
  };
  return attempt;
}

/** A failure caused by the shutdown is not a failure of its own. */
function untilEnded(progress: Progress, signal: AbortSignal): Progress {
  return {
    step: (name, work) =>
      progress.step(name, async (remark) => {
        try {
          return await work(remark);
        } catch (error) {
          signal.throwIfAborted();
          throw error;
        }
      }),
  };
}

async function bringUpParts(
  part: PartContext,
  built: Promise<void>,
  { servers = SERVERS, outsideOnly = false }: Pick<StackOptions, 'servers' | 'outsideOnly'>,
): Promise<Omit<SandboxDescription, 'pids'>> {
  const embedded = embeddedParts(part.environment);
  const addresses: PartAddresses = { port: part.port };
  const database = embedded.database
    ? runDatabase(part).then((url) => {
        addresses.databaseUrl = url;
      })
    : Promise.resolve();
  const chain = embedded.chain
    ? runChain(part).then(async (rpcUrl) => {
        addresses.chain = { rpcUrl, contracts: await prepareChain(part, rpcUrl) };
      })
    : Promise.resolve();
  const exchange = embedded.exchange
    ? runExchange(part).then((url) => {
        addresses.exchangeUrl = url;
      })
    : Promise.resolve();
  await Promise.all([database, chain, exchange]);
  const environment = serverEnvironment(part.environment, part.secrets, addresses);
  const config = readConfig(environment);
  if (outsideOnly) {
    writeServiceEnvironment(part.folder.environment, environment);
    return describeParts(config, '');
  }
  await migrate(part, config.database.directUrl);
  const urls = embedded.database ? await makeRoles(config.database.directUrl) : undefined;
  const apiKey = await ensureApiKeys(part, config);
  const start: Record<ServerName, () => Promise<unknown>> = {
    processor: () => runProcessor(part, processorEnvironment(environment, urls)),
    notifications: () => runNotifications(part, notificationsEnvironment(environment, urls)),
    web: () => built.then(() => runWeb(part, webEnvironment(environment, urls), config)),
  };
  await Promise.all(servers.map((name) => start[name]()));
  if (embedded.exchange && servers.includes('web')) await awaitMarkets(part, apiKey);
  return describeParts(config, apiKey);
}

function describeParts(config: Config, apiKey: string): Omit<SandboxDescription, 'pids'> {
  return {
    baseUrl: config.publicBaseUrl,
    apiKey,
    rpcUrl: config.chain.rpcUrl,
    exchangeUrl: config.exchange.url,
    databaseUrl: config.database.url,
    contracts: config.chain.contracts,
    demoWallets: config.chain.sandbox ? DEMO_WALLETS : [],
  };
}

/** Checks the external parts before any of ours is started. */
async function checkExternal(options: StackOptions, config: Config): Promise<void> {
  const embedded = embeddedParts(options.environment);
  const checks = [
    ...(embedded.database ? [] : [() => checkDatabase(config.database.url)]),
    ...(embedded.chain ? [] : [() => checkChain(config.chain)]),
    ...(embedded.exchange ? [] : [() => checkExchange(config.exchange.url)]),
  ];
  if (checks.length === 0) return;
  await options.progress.step('Configured parts', async () => {
    await Promise.all(checks.map((check) => check()));
  });
}

async function checkPort(port: number, host: string): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new StartProblem(
    `Port ${port} is taken by another program.`,
    `Stop that program, or choose another port: npm start -- --port ${port + 1}`,
  );
}

function pidsOf(running: Map<PartName, Supervised>): SandboxDescription['pids'] {
  const of = (name: PartName) => running.get(name)?.pids() ?? [];
  return {
    web: of('web'),
    processor: of('processor'),
    notifications: of('notifications'),
    exchange: of('exchange'),
    chain: of('chain'),
    database: of('database'),
  };
}

/** First the parts that write, then those they write to. */
async function stopAll(running: Map<PartName, Supervised>): Promise<void> {
  const stop = (names: PartName[]) =>
    Promise.all(names.map((name) => running.get(name)?.stop() ?? Promise.resolve()));
  await stop(['web', 'processor', 'notifications']);
  await stop(['exchange', 'chain', 'database']);
}
