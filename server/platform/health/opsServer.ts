import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { handleHealth } from './healthRoutes.ts';
import type { Readiness } from './readiness.ts';

export type OpsServer = { close(): Promise<void> };

export type Exposition = { contentType: string; body: string };

/**
 * A port beside the work for those who look after it: /healthz, /readyz and /metrics. It is not to
 * be reached from outside. @returns undefined where no port is configured
 */
export async function startOpsServer(options: {
  host: string;
  port: number | undefined;
  readiness: Readiness;
  metrics: () => Promise<Exposition>;
  log: Log;
}): Promise<OpsServer | undefined> {
  const { host, port, log } = options;
  if (port === undefined) return undefined;
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (handleHealth(path, response, options.readiness)) return;
    if (path === '/metrics') handleMetrics(response, options.metrics, log);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  });
  server.requestTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  log.info({ host, port }, 'health and metrics');
  return { close: () => close(server) };
}

function handleMetrics(
  response: ServerResponse,
  metrics: () => Promise<Exposition>,
  log: Log,
): void {
  metrics()
    .then(({ contentType, body }) => {
      response.writeHead(200, { 'content-type': contentType }).end(body);
    })
    .catch((error: unknown) => {
      log.warn({ err: error }, 'metrics could not be read');
      response.writeHead(503).end();
    });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
