import type { Server } from 'node:http';

/** How often connections are looked for whose last request has just been answered. */
const POLL_MS = 50;

/**
 * Takes no new connections and lets requests under way finish, at most `patienceMs`; then closes
 * what is left. A connection that is kept open gets no further request.
 */
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
