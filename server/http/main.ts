import { createServer, type RequestListener, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { warmSearch } from '../markets/search.ts';
import { closeRuntime, getRuntime } from '../runtime.ts';
import { getApi } from './api.ts';
import { clientAddress } from './clientAddress.ts';
import { answerClientError, createNodeHandler, isApiPath } from './nodeMount.ts';
import { createPageSecurity } from './securityHeaders.ts';

/**
 * The production web server: answers the API itself and hands everything else to Next. Tells its
 * parent when it is ready, and ends when the parent goes away.
 */

const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Slow senders are cut off: headers and body must have arrived within these times. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** How often the times are looked at. */
const CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

/** How long open requests may take to finish once the server is told to stop. */
const DRAIN_MS = 1_500;

async function pages(host: string, port: number): Promise<RequestListener> {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: PROJECT_ROOT, hostname: host, port });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (request, response) => void handle(request, response);
}

/** Where no pages are served, every path outside the interface is unknown. */
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

/** Takes no new connections, lets requests finish for a moment, then closes what is left. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function main(): Promise<void> {
  const runtime = await getRuntime();
  const { config, log } = runtime;
  const api = await getApi();
  const answerApi = createNodeHandler(api, clientAddress(config.trustedProxies));
  const answerPage = config.servePages ? await pages(config.host, config.port) : noPages;
  const pageSecurity = createPageSecurity(config);
  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (isApiPath(path)) {
      answerApi(request, response);
      return;
    }
    const { policy, headers } = pageSecurity.headersFor(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // Where Next looks for the nonce of its scripts; a visitor's own word for it is overwritten.
    request.headers['content-security-policy'] = policy;
    answerPage(request, response);
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, config));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, config.host, config.port);
  log.info({ host: config.host, port: config.port }, 'listening');
  warmSearch(runtime).catch((error: unknown) => log.debug({ err: error }, 'search not warm yet'));
  process.send?.({ type: 'ready' });

  let stopping = false;
  const stop = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    api.close();
    await drain(server);
    await closeRuntime(runtime, DRAIN_MS);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  process.on('disconnect', () => void stop('parent gone'));
}

await main();
