import type { AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { ApiContext, Middleware } from './env.ts';

/* Not hono/cors: which origins may read a response depends on the key of the request. */

const EXPOSED_HEADERS =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, content-disposition, etag';

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, x-api-key, last-event-id, if-none-match',
  'access-control-max-age': '600',
};

/** Lets our pages read every response, and any page its preflight, which has no key. */
export function cors(ownOrigin: string): Middleware {
  return (c, next) => {
    c.header('vary', 'origin');
    const origin = c.req.header('origin');
    if (origin !== undefined && (origin === ownOrigin || isPreflight(c))) allow(c, origin);
    return next();
  };
}

/** Headers of the response to a preflight; none to any other request. */
export function preflightHeaders(c: ApiContext): Record<string, string> {
  return isPreflight(c) ? PREFLIGHT_HEADERS : {};
}

/** Whether pages of an origin may use a key. */
export function allowsOrigin(ownOrigin: string, key: AuthenticatedApiKey, origin: string): boolean {
  return origin === ownOrigin || key.origins.includes(origin);
}

/** Lets a page read the response if the key names its origin. */
export function allowOriginOf(c: ApiContext, key: AuthenticatedApiKey): void {
  const origin = c.req.header('origin');
  if (origin !== undefined && key.origins.includes(origin)) allow(c, origin);
}

function isPreflight(c: ApiContext): boolean {
  return (
    c.req.method === 'OPTIONS' &&
    c.req.header('origin') !== undefined &&
    c.req.header('access-control-request-method') !== undefined
  );
}

function allow(c: ApiContext, origin: string): void {
  c.header('access-control-allow-origin', origin);
  c.header('access-control-expose-headers', EXPOSED_HEADERS);
}
