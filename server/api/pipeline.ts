import type { AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import type { KeyUsage } from '../domain/auth/keyUsage.ts';
import { isLiveBody } from '../domain/notifications/stream/liveBody.ts';
import { ServiceError } from '../platform/errors.ts';
import type { AccessLog } from './accessLog.ts';
import { authenticateAdminOf } from './admin/authenticate.ts';
import { type Authority, allowsOrigin, authenticateKey, authenticateOwner } from './authorize.ts';
import { type CallerBudgets, rateHeaders, type Spent } from './callerBudgets.ts';
import { corsHeaders, isPreflight, PREFLIGHT_HEADERS } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { readJsonBody } from './jsonBody.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { newRequestId, problemResponse, toServiceError } from './problem.ts';
import { parseQuery } from './queryString.ts';
import { createReadyResponses, type ReadyResponse } from './readyAnswers.ts';
import { noteAnswered } from './requestLog.ts';
import { type Caller, RawResponse, type Route, routeExists } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { apiSecurityHeaders } from './securityHeaders.ts';
import { keyOfShared, type SharedResponses } from './sharedAnswers.ts';

export type Api = {
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** The same answer at once, where memory holds it; undefined where `handle` has to find it. */
  responseNow?(request: ApiRequest): ReadyResponse | undefined;
};

export type ApiParts = {
  deps: HttpDeps;
  routes: readonly Route[];
  authority: Authority;
  budgets: CallerBudgets;
  sharedResponses: SharedResponses;
  /** Where answered requests are noted; among all other lines unless told. */
  accessLog?: AccessLog | undefined;
  /** Where requests are counted by key; nowhere unless told. */
  keyUsage?: Pick<KeyUsage, 'note'> | undefined;
  /** Compare every answer with its declared shape; a difference is answered as a failure. */
  checkResponses: boolean;
};

/** What is learnt about a request on its way, for the headers and the log line. */
type Trace = {
  requestId: string;
  match: Match;
  apiKey: AuthenticatedApiKey | undefined;
  /** The key that was sent, also when it was refused what it asked for. */
  knownKey: AuthenticatedApiKey | undefined;
  rate: Record<string, string>;
  failure: ServiceError | undefined;
};

/** Puts the parts together: `handle` answers every request and never throws. */
export function createApi(parts: ApiParts): Api {
  const router = createRouter(parts.routes);
  const { publicBaseUrl } = parts.deps.config;
  const securityHeaders = apiSecurityHeaders(parts.deps.config);

  async function respond(request: ApiRequest, trace: Trace): Promise<ApiResponse> {
    if (request.method === 'OPTIONS' && trace.match.kind !== 'not_found') {
      const allow = router.match('?', request.path);
      return {
        status: 204,
        headers: {
          allow: allow.kind === 'wrong_method' ? allow.allow.join(', ') : '',
          ...(isPreflight(request) ? PREFLIGHT_HEADERS : {}),
        },
        body: null,
      };
    }
    const matched = routeOf(trace.match, parts.deps);
    return runRoute(parts, matched.route, matched.params, request, trace);
  }

  return {
    responseNow: createReadyResponses(parts, router, (route, answer) =>
      jsonOf(parts, route, answer),
    ),
    async handle(request) {
      const startedAt = performance.now();
      const requestId = newRequestId();
      const trace: Trace = {
        requestId,
        match: router.match(request.method, request.path),
        apiKey: undefined,
        knownKey: undefined,
        rate: {},
        failure: undefined,
      };
      let response: ApiResponse;
      try {
        response = await respond(request, trace);
      } catch (error) {
        trace.failure = toServiceError(error);
        response = problemResponse(trace.failure, { requestId, publicBaseUrl });
        if (trace.match.kind === 'wrong_method')
          response.headers.allow = trace.match.allow.join(', ');
      }
      const headers = {
        ...securityHeaders,
        'x-request-id': requestId,
        ...trace.rate,
        ...originHeaders(parts, request, trace.knownKey),
        ...response.headers,
      };
      logRequest(parts, request, trace, response.status, performance.now() - startedAt);
      return request.method === 'HEAD' ? withoutBody(response, headers) : { ...response, headers };
    },
  };
}

function withoutBody(response: ApiResponse, headers: Record<string, string>): ApiResponse {
  // A stream that nobody reads would stay open for ever.
  if (response.body instanceof ReadableStream) void response.body.cancel();
  else if (isLiveBody(response.body)) response.body.detach();
  return { status: response.status, headers, body: null };
}

function routeOf(match: Match, deps: HttpDeps): { route: Route; params: Record<string, string> } {
  if (match.kind === 'wrong_method') {
    throw new ServiceError('method_not_allowed', `Use one of: ${match.allow.join(', ')}.`);
  }
  if (match.kind === 'not_found' || !routeExists(match.route, deps)) {
    throw new ServiceError('not_found', 'This path does not exist.');
  }
  return match;
}

async function runRoute(
  parts: ApiParts,
  route: Route,
  params: Record<string, string>,
  request: ApiRequest,
  trace: Trace,
): Promise<ApiResponse> {
  trace.apiKey = await authenticateKey(parts.authority, route.auth, request, (key) => {
    trace.knownKey = key;
  }).catch((error) => limitThenThrow(parts, route, request, trace, error));
  limit(parts, route, request, trace);
  if (route.shared) return shareResponse(parts, route, params, request, trace);
  const bearer = await authenticateOwner(parts.authority, route.auth, request);
  if (bearer && bearer.owner !== trace.apiKey?.ownerAddress) {
    requireLeft(parts.budgets.spendForWallet(bearer.owner, route.rateClass), trace);
  }
  const caller: Caller = {
    apiKey: trace.apiKey,
    owner: bearer?.owner,
    sessionId: bearer?.sessionId,
    operator: await authenticateAdminOf(parts.deps, route.auth, request),
  };
  const input = {
    params,
    query: parseQuery(request.search),
    body: route.schemas.body ? await readJsonBody(request) : undefined,
  };
  const named = bearer ? undefined : addressIn(input.body);
  if (named) requireLeft(parts.budgets.spendForNamed(named, route.rateClass), trace);
  const { requestId } = trace;
  const log = parts.deps.log.child({ requestId });
  const answer = await route.execute(input, {
    deps: { ...parts.deps, log },
    caller,
    log,
    requestId,
    request,
  });
  return toResponse(parts, route, answer);
}

/** What everybody is told alike is made once; whoever asks next gets the same bytes. */
async function shareResponse(
  parts: ApiParts,
  route: Route,
  params: Record<string, string>,
  request: ApiRequest,
  trace: Trace,
): Promise<ApiResponse> {
  const key = keyOfShared(request);
  const kept =
    parts.sharedResponses.find(key) ??
    (await parts.sharedResponses.make(key, route.shared?.(params) ?? 'catalogue', async () => {
      const input = { params, query: parseQuery(request.search), body: undefined };
      const caller: Caller = { apiKey: undefined, owner: undefined, sessionId: undefined };
      const log = parts.deps.log.child({ requestId: trace.requestId });
      const answer = await route.execute(input, {
        deps: { ...parts.deps, log },
        caller,
        log,
        requestId: trace.requestId,
        request,
      });
      return jsonOf(parts, route, answer);
    }));
  return kept.respond(request, route.status ?? 200);
}

function limit(parts: ApiParts, route: Route, request: ApiRequest, trace: Trace): void {
  const spent = parts.budgets.spend(trace.apiKey, request, route.rateClass);
  trace.rate = rateHeaders(spent);
  requireLeft(spent, trace);
}

/** @throws {ServiceError} rate_limited */
function requireLeft(spent: Spent, trace: Trace): void {
  if (spent.allowed) return;
  trace.rate = rateHeaders(spent);
  throw new ServiceError('rate_limited', 'Slow down. The Retry-After header says when to retry.', {
    retryAfterSeconds: spent.retryAfterSeconds,
  });
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** The wallet that a body names, where it is sent by somebody who has not signed in. */
function addressIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('userAddress' in body)) return undefined;
  const address = String(body.userAddress).toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

/** Guessing keys is limited as well: a refused key counts against the address it came from. */
function limitThenThrow(
  parts: ApiParts,
  route: Route,
  request: ApiRequest,
  trace: Trace,
  error: unknown,
): never {
  limit(parts, route, request, trace);
  throw error;
}

function toResponse(parts: ApiParts, route: Route, answer: unknown): ApiResponse {
  const cacheControl = route.cacheControl ?? 'no-store';
  if (answer instanceof RawResponse) {
    return {
      status: route.status ?? 200,
      headers: { 'cache-control': cacheControl, ...answer.headers },
      body: answer.body,
    };
  }
  return {
    status: route.status ?? 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl },
    body: jsonOf(parts, route, answer),
  };
}

function jsonOf(parts: ApiParts, route: Route, answer: unknown): string {
  if (parts.checkResponses && route.response.schema) route.response.schema.parse(answer);
  return JSON.stringify(answer);
}

const NO_ORIGIN = corsHeaders(undefined, false);

/** A preflight names no key: any page may ask, and hears nothing but what it may send. */
function originHeaders(
  { authority }: ApiParts,
  request: ApiRequest,
  key: AuthenticatedApiKey | undefined,
): Record<string, string> {
  const origin = request.header('origin');
  if (origin === undefined) return NO_ORIGIN;
  return corsHeaders(origin, isPreflight(request) || allowsOrigin(authority, key, origin));
}

function logRequest(
  parts: ApiParts,
  request: ApiRequest,
  trace: Trace,
  status: number,
  durationMs: number,
): void {
  noteAnswered(
    { log: parts.deps.log, accessLog: parts.accessLog, keyUsage: parts.keyUsage },
    {
      requestId: trace.requestId,
      method: request.method,
      route: trace.match.kind === 'route' ? trace.match.route.path : undefined,
      status,
      durationMs,
      apiKeyId: trace.knownKey?.id,
      code: trace.failure?.code,
    },
    trace.failure?.cause,
  );
}
