import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { handleHealth, type Readiness } from './readiness.ts';

export type OpsServer = { close(): Promise<void> };

type Metrics = () => Promise<{ contentType: string; body: string }>;

/**
 * Serves /healthz, /readyz and /metrics on a separate port, which must not be public.
 * @returns undefined without a configured port
 */
export async function startOpsServer(options: {
  host: string;
  port: number | undefined;
  readiness: Readiness;
  metrics: Metrics;
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

function handleMetrics(response: ServerResponse, metrics: Metrics, log: Log): void {
  metrics()
    .then(({ contentType, body }) => {
      response.writeHead(200, { 'content-type': contentType }).end(body);
    })
    .catch((error: unknown) => {
      log.warn({ err: error }, 'the metrics could not be read');
      response.writeHead(503).end();
    });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
