import type { ServerResponse } from 'node:http';
import type { Readiness } from './readiness.ts';

/**
 * Answers /healthz (this process turns) and /readyz (it is to be given work: 200, otherwise 503).
 * @returns whether the path was one of them
 */
export function handleHealth(
  path: string,
  response: ServerResponse,
  readiness: Readiness,
): boolean {
  if (path === '/healthz') {
    reply(response, 200, { status: 'ok' });
    return true;
  }
  if (path !== '/readyz') return false;
  readiness
    .look()
    .then((said) => reply(response, said.status === 'ready' ? 200 : 503, said))
    .catch(() => response.destroy());
  return true;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body)}\n`);
}
