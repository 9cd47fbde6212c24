import { type Chain, checkRealNode, openChain } from './chain/client.ts';
import { type NameService, openNames } from './domain/accounts/names/nameService.ts';
import { createLiveMarkets, type LiveMarkets } from './domain/markets/books/liveMarkets.ts';
import { createPictureCache, type PictureCache } from './domain/markets/pictures/pictureCache.ts';
import { createScoreboard, type Scoreboard } from './domain/markets/scores/scoreboard.ts';
import { type ExchangeKey, openExchangeKey } from './exchange/kalshi/exchangeKey.ts';
import { createKalshiExchange } from './exchange/kalshi/kalshiExchange.ts';
import { countedFetch, countedSend, observedExchange } from './exchange/kalshi/observedExchange.ts';
import type { Exchange } from './exchange/port.ts';
import type { Config } from './platform/config/config.ts';
import { closeDatabase, type Database, openDatabase } from './platform/database/client.ts';
import { requireSynchronousCommits } from './platform/database/failover.ts';
import { openReplicas, type Replicas } from './platform/database/replicas.ts';
import { requireMigrations } from './platform/database/schemaState.ts';
import { createLog, type Log } from './platform/log.ts';
import { createHostResolver, type HostResolver } from './platform/network/hostResolver.ts';
import { startTracing, type Tracing } from './platform/tracing/startTracing.ts';

const ADMIN_CONNECTIONS = 2;

/** The parts of the service, opened once per process; only composition roots know all of them. */
export type Runtime = {
  config: Config;
  log: Log;
  database: Database;
  /** Standbys for reads that bear data of a moment ago; undefined where none is configured. */
  replicas: Replicas | undefined;
  /** With the rights of admins; the same as `database` unless configured. */
  adminDatabase: Database;
  chain: Chain;
  exchange: Exchange;
  /** Undefined in a process that only reads public data of the exchange. */
  exchangeKey: ExchangeKey | undefined;
  /** For host names that callers choose. */
  resolveHost: HostResolver;
  /** Pictures of the exchange's listings. */
  pictures: PictureCache;
  /** Scores of games, read once for all readers of a process. */
  scoreboard: Scoreboard;
  /** Live books, followed once for all readers of a process. */
  liveMarkets: LiveMarkets;
  names: NameService;
  tracing: Tracing;
};

/**
 * Opens a runtime; the caller closes it.
 * @throws {StartError} when migrations are missing, a failover of the database loses orders, or a
 *   production node is not of the real chain
 */
export async function openRuntime(
  config: Config,
  name: 'web' | 'processor' | 'tool',
): Promise<Runtime> {
  const log = createLog(name, config.logLevel);
  const tracing = await startTracing(config.tracing, name);
  const database = openDatabase({
    url: config.database.url,
    applicationName: `crossbook-${name}`,
    maxConnections: config.database.maxConnections,
    isPooled: config.database.isPooled,
  });
  const chain = openChain(config.chain);
  const resolveHost = createHostResolver({ servers: config.dnsServers });
  const exchangeKey = openExchangeKey(config);
  if (config.isProduction) await checkRealNode(chain.client, config.chain.id);
  await requireMigrations(database);
  if (config.database.failover === 'synchronous') await requireSynchronousCommits(database);
  const exchange = observedExchange(
    createKalshiExchange({
      ...config.exchange,
      credentials: exchangeKey,
      timing: config.exchangeTiming,
      log,
      fetch: countedFetch,
      sendMessage: countedSend,
    }),
  );
  return {
    config,
    log,
    database,
    replicas: name === 'web' ? openConfiguredReplicas(config, database, log) : undefined,
    adminDatabase: openAdminDatabase(config) ?? database,
    chain,
    exchange,
    exchangeKey,
    resolveHost,
    pictures: createPictureCache({
      resolveHost,
      localOrigin: config.chain.sandbox ? new URL(config.exchange.url).origin : undefined,
    }),
    scoreboard: createScoreboard(exchange.catalogue),
    liveMarkets: createLiveMarkets({ exchange, log }),
    names: openNames(config, resolveHost),
    tracing,
  };
}

/** Closes every connection. */
export async function closeRuntime(runtime: Runtime): Promise<void> {
  await runtime.tracing.stop();
  runtime.liveMarkets.close();
  if (runtime.adminDatabase !== runtime.database) await closeDatabase(runtime.adminDatabase);
  await runtime.replicas?.close();
  await closeDatabase(runtime.database);
}

function openConfiguredReplicas(
  { database: settings }: Config,
  primary: Database,
  log: Log,
): Replicas | undefined {
  if (settings.replicaUrls.length === 0) return undefined;
  return openReplicas({
    urls: settings.replicaUrls,
    primary,
    stalenessMs: settings.replicaStalenessMs,
    applicationName: 'crossbook-web',
    maxConnections: settings.maxConnections,
    log,
  });
}

function openAdminDatabase({ database }: Config): Database | undefined {
  if (database.operatorUrl === undefined) return undefined;
  return openDatabase({
    url: database.operatorUrl,
    applicationName: 'crossbook-operator',
    maxConnections: ADMIN_CONNECTIONS,
  });
}
