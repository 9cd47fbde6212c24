import type { Server } from 'node:http';

/** How often it closes connections whose last request has ended. */
const POLL_MS = 50;

/**
 * Asks clients to send their next request on a new connection, which a proxy makes elsewhere: one
 * that is sent while its connection closes would fail.
 */
export function sendElsewhere(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
}

/** Accepts no new connections, waits `timeoutMs` at most for running requests, then closes all. */
export function drain(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const looking = setInterval(() => server.closeIdleConnections(), POLL_MS);
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearInterval(looking);
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
