import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureApiKey } from '../domain/auth/apiKeys.ts';
import { warmSearch } from '../domain/markets/search/search.ts';
import { ConfigError, readConfig } from '../platform/config/config.ts';
import { startOpsServer } from '../platform/health/opsServer.ts';
import { createReadiness, handleHealth } from '../platform/health/readiness.ts';
import { exposeMetrics } from '../platform/metrics/registry.ts';
import { logEverything } from '../platform/process/logEverything.ts';
import { EXIT, endAfter, runMain } from '../platform/process/runMain.ts';
import { closeRuntime, type Runtime } from '../runtime.ts';
import { drain, sendElsewhere } from './drain.ts';
import { clientAddress } from './middleware/clientAddress.ts';
import {
  createNodeListener,
  isApiPath,
  refuseClientError,
  refuseMalformed,
} from './nodeListener.ts';
import { openPages } from './pages.ts';
import { inReaderLocale } from './readerLocale.ts';
import { isWellFormedPath, originForm } from './requestTarget.ts';
import { createPageSecurity } from './securityHeaders.ts';
import { type Api, getApi } from './server.ts';
import { createSocketServer } from './sockets/socketServer.ts';
import { getRuntime } from './webRuntime.ts';

/**
 * The production web server: serves the API and passes everything else to Next. It reports to its
 * parent process when it is ready, and ends with it.
 */

/** Headers and body of a request must arrive within these times. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** How often Node checks these times. */
const CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

/** How long the process may take to finish after the last request. */
const CLOSE_MS = 1_500;

/** Without pages, every path outside the API is 404. */
const noPages: RequestListener = (_request, response) => {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
};

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function main(): Promise<void> {
  const runtime = await getRuntime();
  const { config, log } = runtime;
  logEverything(log);
  await registerPublishableKey(runtime);
  const api = await getApi();
  const readiness = createReadiness({ database: () => runtime.database.pool.query('select 1') });
  const ops = await startOpsServer({ ...config.ops, readiness, metrics: exposeMetrics, log });
  const serveApi = createNodeListener(api, clientAddress(config.trustedProxies), config);
  const servePage = config.servePages ? await openPages(config.host, config.port) : noPages;
  const pageSecurity = createPageSecurity(config);
  const sockets = createSocketServer({
    app: api,
    addressOf: clientAddress(config.trustedProxies),
    publicBaseUrl: config.publicBaseUrl,
    log,
  });
  const options = {
    connectionsCheckingInterval: CHECK_MS,
    shouldUpgradeCallback: sockets.isHandshake,
  };
  const server = createServer(options, (request, response) => {
    const target = originForm(request.url ?? '/');
    if (target === undefined) return refuseMalformed(response, config);
    request.url = target;
    const [path = ''] = target.split('?', 1);
    if (isApiPath(path) && (config.apiMount === 'node' || !isWellFormedPath(path))) {
      return serveApi(request, response);
    }
    if (isApiPath(path)) return servePage(request, response);
    if (!isWellFormedPath(path)) return refuseMalformed(response, config);
    const { policy, headers } = pageSecurity.headersFor(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (handleHealth(path, response, readiness)) return;
    // Next reads the nonce of its scripts here; this overwrites a header of the visitor.
    request.headers['content-security-policy'] = policy;
    inReaderLocale(request.headers['accept-language'], () => servePage(request, response));
  });
  server.on('upgrade', sockets.upgrade);
  server.on('clientError', (error, socket) => refuseClientError(error, socket, config));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, config.host, config.port);
  log.info({ host: config.host, port: config.port }, 'listening');
  warmSearch(runtime).catch((error: unknown) => log.debug({ err: error }, 'search not warm yet'));
  readiness.begin();
  process.send?.({ type: 'ready' });

  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    endAfter(config.shutdown.delayMs + config.shutdown.drainMs + CLOSE_MS, log);
    readiness.end();
    sendElsewhere(server);
    await delay(config.shutdown.delayMs);
    api.close();
    sockets.close();
    await drain(server, config.shutdown.drainMs);
    await Promise.race([api.settle(), delay(CLOSE_MS)]);
    await closeRuntime(runtime);
    await ops?.close();
    process.exit(EXIT.stopped);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  process.on('disconnect', () => void stop('parent gone'));
  process.on('SIGHUP', () => void changeKeys(runtime, api));
}

/** Stores the publishable key of our pages, restricted to their origin. */
async function registerPublishableKey({ config, database }: Runtime): Promise<void> {
  await ensureApiKey(
    { database },
    {
      key: config.auth.publishableKey,
      name: 'Crossbook pages',
      scopes: ['read', 'trade', 'withdraw'],
      origins: [new URL(config.publicBaseUrl).origin],
    },
  );
}

/** Reads the key files again. If they are invalid, logs why and keeps the current keys. */
async function changeKeys({ log, exchangeKey }: Runtime, api: Api): Promise<void> {
  try {
    const config = readConfig(process.env, 'web');
    await api.changeKeys(config);
    exchangeKey?.change(config);
    log.info('keys reloaded');
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : undefined;
    log.error(
      { err: error, problems },
      'keys could not be reloaded; the previous keys stay in use',
    );
  }
}

await runMain('The web server', main);
