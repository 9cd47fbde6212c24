import { Hono } from 'hono';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../platform/errors.ts';
import {
  type Authority,
  type FindAdmin,
  identifyKey,
  identifyOwner,
  requireAdmin,
} from './middleware/authenticate.ts';
import {
  type CallerBudgets,
  limitListed,
  limitNamed,
  limitOwner,
  spendFor,
} from './middleware/callerBudgets.ts';
import { cors, preflightHeaders } from './middleware/cors.ts';
import type { ApiContext, ApiEnv, Middleware } from './middleware/env.ts';
import { parseQuery, readJsonBody, readQuery } from './middleware/input.ts';
import { type Observers, observe } from './middleware/observe.ts';
import { respondProblem } from './middleware/problems.ts';
import type { ResponseCache } from './middleware/responseCache.ts';
import { isWellFormedPath } from './requestTarget.ts';
import type { Route } from './routes/route.ts';
import { apiSecurityHeaders, type SecurityScope } from './securityHeaders.ts';

export type App = Pick<Hono<ApiEnv>, 'fetch'>;

export type AppParts = {
  scope: SecurityScope;
  /** The admin of a token. @throws {ServiceError} */
  findAdmin: FindAdmin;
  routes: readonly Route[];
  authority: Authority;
  budgets: CallerBudgets;
  cache: ResponseCache;
  /** Compare every response with its declared shape; a difference is an error. */
  checkResponses: boolean;
} & Observers;

type Handler = (c: ApiContext) => Promise<Response>;

const MOST_REUSABLE = 2_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const nothingHere = () => new ServiceError('not_found', 'This path does not exist.');

/** Every route with its middleware. It never throws: each request gets a response. */
export function createApp(parts: AppParts): App {
  const { scope, authority } = parts;
  const { publicBaseUrl } = scope;
  const app = new Hono<ApiEnv>({
    // As sent: Hono would decode it and take `/v1/%6Frder` for `/v1/order`.
    getPath: (request, options) => options?.env?.path ?? new URL(request.url).pathname,
  });
  app.onError((error, c) => respondProblem(c, error, publicBaseUrl));
  app.notFound((c) => respondProblem(c, nothingHere(), publicBaseUrl));
  app.use(observe(parts));
  app.use(withHeaders(apiSecurityHeaders(scope)), cors(authority.ownOrigin));
  app.use(async (c, next) => {
    if (!isWellFormedPath(c.req.path)) throw nothingHere();
    await next();
  });
  for (const [path, routes] of byPath(parts.routes)) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const route of routes) {
      const steps = middlewareOf(parts, route);
      app.on(route.method, pattern, begin(route), ...steps, handlerOf(parts, route));
    }
    app.all(pattern, otherMethods(routes));
  }
  return app;
}

/** Headers of every response, unless a route says otherwise. */
function withHeaders(headers: Record<string, string>): Middleware {
  const pairs = Object.entries(headers);
  return (c, next) => {
    for (const [name, value] of pairs) c.header(name, value);
    return next();
  };
}

/**
 * Routes by their paths, fixed segments before parameters, so that `/v1/order/calldata` is never an
 * id. @throws {Error} when two routes share method and path
 */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    const others = paths.get(route.path) ?? [];
    if (others.some(({ method }) => method === route.method)) {
      throw new Error(`${route.method} ${route.path} is declared twice`);
    }
    paths.set(route.path, [...others, route]);
  }
  const rank = (path: string) =>
    path.replaceAll(/[^/]+/g, (segment) => (segment.startsWith('{') ? '1' : '0'));
  return [...paths].sort(([a], [b]) => rank(a).localeCompare(rank(b)));
}

/** Responds to OPTIONS and to unsupported methods with the supported ones. */
function otherMethods(routes: readonly Route[]): Handler {
  const methods: string[] = routes.map(({ method }) => method);
  if (methods.includes('GET')) methods.push('HEAD');
  const allow = [...methods, 'OPTIONS'].join(', ');
  return async (c) => {
    c.header('allow', allow);
    if (c.req.method === 'OPTIONS') return c.body(null, 204, preflightHeaders(c));
    throw new ServiceError('method_not_allowed', `Use one of: ${allow}.`);
  };
}

/** Names the route for the log; 404 if it does not exist with this configuration. */
function begin(route: Route): Middleware {
  const isThere = route.available?.(undefined) !== false;
  return async (c, next) => {
    c.set('route', route.path);
    if (!isThere) throw nothingHere();
    await next();
  };
}

function middlewareOf({ findAdmin, authority, budgets }: AppParts, route: Route): Middleware[] {
  const { auth, rateClass } = route;
  const identify = identifyKey(authority, auth, spendFor(budgets, rateClass));
  if (route.cached || route.reusable) return [identify];
  return [
    identify,
    ...(auth.token === 'none'
      ? []
      : [identifyOwner(authority, auth), limitOwner(budgets, rateClass)]),
    ...(auth.admin === undefined ? [] : [requireAdmin(findAdmin, auth.admin)]),
    readQuery,
    ...(route.schemas.body
      ? [readJsonBody, limitListed(budgets, rateClass), limitNamed(budgets, rateClass)]
      : []),
  ];
}

function handlerOf(parts: AppParts, route: Route): Handler {
  const { cached, cacheControl = 'no-store', status = 200 } = route;
  if (cached) return cachedHandler(parts, route, cached);
  if (route.reusable) return reusableHandler(parts, route);
  return async (c) => {
    c.header('cache-control', cacheControl);
    const input = { params: c.req.param(), query: c.get('query'), body: c.get('body') };
    const result = await route.execute(input, { deps: undefined, caller: c.get('caller'), c });
    if (result instanceof Response) return result;
    return c.body(jsonOf(parts, route, result), status, JSON_TYPE);
  };
}

/** Builds the response once for all callers. */
function cachedHandler(
  parts: AppParts,
  route: Route,
  about: NonNullable<Route['cached']>,
): Handler {
  const { cache } = parts;
  return async (c) => {
    const key = keyOf(c);
    const response =
      cache.find(key) ??
      (await cache.make(key, about(c.req.param()), () => jsonForAll(parts, route, c)));
    return response.respond(c);
  };
}

/** Reuses the response until the moment that the handler sets. */
function reusableHandler(parts: AppParts, route: Route): Handler {
  const recent = new LRUCache<string, string>({ max: MOST_REUSABLE });
  return async (c) => {
    const key = keyOf(c);
    let json = recent.get(key);
    if (json === undefined) {
      json = await jsonForAll(parts, route, c);
      const leftMs = (c.get('reusableUntil') ?? 0) - Date.now();
      if (leftMs >= 1) recent.set(key, json, { ttl: leftMs });
    }
    c.header('cache-control', 'no-store');
    return c.body(json, 200, JSON_TYPE);
  };
}

const keyOf = ({ env }: ApiContext) => `${env.path}?${env.search}`;

/** The response for every caller: these handlers do not use the caller. */
async function jsonForAll(parts: AppParts, route: Route, c: ApiContext): Promise<string> {
  const input = { params: c.req.param(), query: parseQuery(c.env.search), body: undefined };
  const caller = { apiKey: undefined, owner: undefined, sessionId: undefined };
  return jsonOf(parts, route, await route.execute(input, { deps: undefined, caller, c }));
}

function jsonOf({ checkResponses }: AppParts, route: Route, result: unknown): string {
  if (checkResponses && route.response.schema) route.response.schema.parse(result);
  return JSON.stringify(result);
}
