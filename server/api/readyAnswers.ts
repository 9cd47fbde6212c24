import type { AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import { cachedKey } from './authorize.ts';
import { rateHeaders } from './callerBudgets.ts';
import { corsHeaders } from './cors.ts';
import type { ApiRequest } from './message.ts';
import type { ApiParts } from './pipeline.ts';
import { newRequestId } from './problem.ts';
import { parseQuery } from './queryString.ts';
import { pairsOf, type ReadyContent, readyContent } from './readyContent.ts';
import { noteAnswered } from './requestLog.ts';
import { type Route, routeExists } from './route.ts';
import type { Router } from './router.ts';
import { apiSecurityHeaders } from './securityHeaders.ts';
import { keyOfShared } from './sharedAnswers.ts';

/** An answer with all its headers. */
export type ReadyResponse = ReadyContent & { headers: string[] };

type Held = { content: Omit<ReadyContent, 'status'>; stands(): boolean };

/** They stand for a moment each: so many are only there when callers invent questions. */
const MOST_HELD = 2_000;

/**
 * Answers what memory holds without waiting for anything: no promise, no context, no headers but
 * by list. Whatever is out of the ordinary (an origin, a key to be looked up, a refusal of any
 * kind) is left to the pipeline, which answers the same, and nothing has been counted by then.
 */
export function createReadyResponses(
  parts: ApiParts,
  router: Router,
  jsonOf: (route: Route, answer: unknown) => string,
): (request: ApiRequest) => ReadyResponse | undefined {
  const { deps, authority, budgets, sharedResponses, accessLog, keyUsage } = parts;
  const security = pairsOf(apiSecurityHeaders(deps.config));
  const heldHeaders = {
    ...corsHeaders(undefined, false),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  const held = new Map<string, Held>();

  /** What a route recalls is written as JSON once, and sent as it is while it stands. */
  function heldContent(
    route: Route,
    params: Record<string, string>,
    request: ApiRequest,
  ): ReadyContent | undefined {
    const key = keyOfShared(request);
    let found = held.get(key);
    if (!found?.stands()) {
      const recalled = recall(route, params, request);
      if (!recalled) return undefined;
      const content = readyContent(heldHeaders, jsonOf(route, recalled.value));
      found = { content, stands: () => recalled.stands() };
      if (held.size >= MOST_HELD) held.clear();
      held.set(key, found);
    }
    return { status: route.status ?? 200, ...found.content };
  }

  function recall(route: Route, params: Record<string, string>, request: ApiRequest) {
    const input = { params, query: parseQuery(request.search), body: undefined };
    return route.recall?.(input, deps);
  }

  function contentFor(
    route: Route,
    params: Record<string, string>,
    request: ApiRequest,
  ): ReadyContent | undefined {
    if (!route.shared) return heldContent(route, params, request);
    return sharedResponses.find(keyOfShared(request))?.ready(request, route.status ?? 200);
  }

  function send(
    request: ApiRequest,
    route: Route,
    apiKey: AuthenticatedApiKey,
    content: ReadyContent,
    startedAt: number,
  ): ReadyResponse | undefined {
    const spent = budgets.spend(apiKey, request, route.rateClass);
    if (!spent.allowed) return undefined;
    const requestId = newRequestId();
    const rate = rateHeaders(spent);
    const headers = security.concat(content.pairs);
    headers.push('x-request-id', requestId);
    for (const name in rate) headers.push(name, rate[name] ?? '');
    noteAnswered(
      { log: deps.log, accessLog, keyUsage },
      {
        requestId,
        method: request.method,
        route: route.path,
        status: content.status,
        durationMs: performance.now() - startedAt,
        apiKeyId: apiKey.id,
        code: undefined,
      },
    );
    return { ...content, headers };
  }

  return (request) => {
    if (request.method !== 'GET' || request.header('origin') !== undefined) return undefined;
    const startedAt = performance.now();
    const match = router.match('GET', request.path);
    if (match.kind !== 'route') return undefined;
    const { route, params } = match;
    if (!(route.shared ?? route.recall) || !routeExists(route, deps)) return undefined;
    try {
      const apiKey = cachedKey(authority, route.auth, request);
      if (!apiKey) return undefined;
      const content = contentFor(route, params, request);
      return content && send(request, route, apiKey, content, startedAt);
    } catch {
      // Refusals have a form of their own.
      return undefined;
    }
  };
}
