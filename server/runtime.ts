import { type Chain, openChain } from './chain/client.ts';
import { type Config, readConfig } from './config.ts';
import { closeDatabase, type Database, openDatabase } from './db/client.ts';
import { createLog, type Log } from './log.ts';
import { type NameService, openNames } from './names/nameService.ts';
import { type OrderQueue, openOrderQueue } from './orders/queue.ts';
import { startTracing, type Tracing } from './tracing/startTracing.ts';
import { createKalshiVenue } from './venue/kalshi/kalshiVenue.ts';
import { countedFetch, observedVenue } from './venue/observedVenue.ts';
import type { Venue } from './venue/port.ts';

/** Everything a process of ours works with, opened once. */
export type Runtime = {
  config: Config;
  log: Log;
  database: Database;
  chain: Chain;
  venue: Venue;
  names: NameService;
  queue: OrderQueue;
  tracing: Tracing;
};

/** Opens a runtime; the caller closes it. */
export async function openRuntime(
  config: Config,
  role: { name: 'web' | 'processor' | 'tool'; maintainQueue: boolean },
): Promise<Runtime> {
  const log = createLog(role.name, config.logLevel);
  const tracing = await startTracing(config.tracing, role.name);
  const database = openDatabase({
    url: config.database.url,
    applicationName: `crossbook-${role.name}`,
    maxConnections: config.database.maxConnections,
  });
  const queue = await openOrderQueue({
    databaseUrl: config.database.directUrl,
    log,
    maintain: role.maintainQueue,
  });
  return {
    config,
    log,
    database,
    chain: openChain(config.chain),
    venue: observedVenue(createKalshiVenue({ ...config.venue, log, fetch: countedFetch })),
    names: openNames(config),
    queue,
    tracing,
  };
}

/** Lets go of every connection, waiting at most `timeoutMs` for work under way. */
export async function closeRuntime(runtime: Runtime, timeoutMs: number): Promise<void> {
  await runtime.queue.close(timeoutMs);
  await runtime.tracing.stop();
  await closeDatabase(runtime.database);
}

const SHARED = Symbol.for('crossbook.runtime');
type SharedRuntime = { [SHARED]?: Promise<Runtime> };

/**
 * The web process's runtime. Pages are bundled by Next and the API is not, so the one instance
 * lives on `globalThis`, where both find it.
 */
export function getRuntime(): Promise<Runtime> {
  const shared = globalThis as SharedRuntime;
  shared[SHARED] ??= openRuntime(readConfig(process.env), { name: 'web', maintainQueue: false });
  return shared[SHARED];
}
