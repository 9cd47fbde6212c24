import { ApiProblem } from './problem.ts';
import type { Problem } from './schemas/problem.ts';

export type QueryValue = string | number | boolean | undefined;

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/** Extra settings of one call. */
export type CallOptions = { signal?: AbortSignal | undefined };

export type TransportOptions = {
  /** The origin of the service, e.g. `http://localhost:3000`; '' for the page's own origin. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** The bearer token, or a function that returns it at the time of the call. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * Called when the service rejects the bearer token: it has expired, or its session was ended. If it
   * returns true, there is another token, and the request is sent once more.
   */
  onTokenRefused?: ((refused: string) => Promise<boolean>) | undefined;
  fetch?: typeof globalThis.fetch;
  /** Timeout of a call in milliseconds; 20 s by default. */
  timeoutMs?: number;
};

export type Transport = <Reply>(request: ApiRequest) => Promise<Reply>;

const DEFAULT_TIMEOUT_MS = 20_000;

function urlOf(baseUrl: string, request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return `${baseUrl.replace(/\/$/, '')}${request.path}${text === '' ? '' : `?${text}`}`;
}

type Token = string | undefined;

async function tokenOf({ token }: TransportOptions): Promise<Token> {
  return typeof token === 'function' ? await token() : token;
}

function headersOf(options: TransportOptions, request: ApiRequest, token: Token): Headers {
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  return headers;
}

function noResponse(cause: unknown, request: ApiRequest): unknown {
  if (request.signal?.aborted === true) return cause;
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  return new ApiProblem({
    status: 0,
    code: timedOut ? 'timeout' : 'network_error',
    title: timedOut ? 'Request timed out' : 'Cannot connect to Crossbook',
    detail:
      request.method === 'GET'
        ? 'Check your connection and try again.'
        : 'No response received. Check whether your request took effect before you try again.',
    cause,
  });
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}

function problemOf(response: Response, body: unknown): ApiProblem {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const common = {
    status: response.status,
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  };
  if (isProblem(body)) {
    const { code, title, detail, errors } = body;
    return new ApiProblem({ ...common, code, title, detail, errors });
  }
  return new ApiProblem({
    ...common,
    code: 'unexpected_answer',
    title: 'Unexpected response',
    detail: `A network device responded with status ${response.status}.`,
  });
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(
  options: TransportOptions,
  request: ApiRequest,
  token: Token,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return (options.fetch ?? globalThis.fetch)(urlOf(options.baseUrl, request), {
    method: request.method,
    headers: headersOf(options, request, token),
    body: request.body === undefined ? null : JSON.stringify(request.body),
    signal: signal ?? null,
    cache: 'no-store',
  });
}

/**
 * Sends a request whose response is not JSON: a stream or a file. It has no timeout of its own.
 * @throws {ApiProblem} for error responses and missing ones
 */
export async function requestResponse(
  options: TransportOptions,
  request: ApiRequest,
): Promise<Response> {
  const headers = { accept: '*/*', ...request.headers };
  const token = await tokenOf(options);
  const response = await send(options, { ...request, headers }, token, request.signal).catch(
    (cause: unknown) => {
      throw noResponse(cause, request);
    },
  );
  if (!response.ok) throw problemOf(response, await readJson(response));
  return response;
}

/**
 * Sends requests and reads responses. @throws {ApiProblem} for error responses and missing ones.
 */
export function createTransport(options: TransportOptions): Transport {
  return async <Reply>(request: ApiRequest): Promise<Reply> => {
    const token = await tokenOf(options);
    try {
      return await requestJson<Reply>(options, request, token);
    } catch (problem) {
      const isRefused = problem instanceof ApiProblem && problem.code === 'token_invalid';
      if (!isRefused || token === undefined) throw problem;
      if ((await options.onTokenRefused?.(token)) !== true) throw problem;
      return await requestJson<Reply>(options, request, await tokenOf(options));
    }
  };
}

async function requestJson<Reply>(
  options: TransportOptions,
  request: ApiRequest,
  token: Token,
): Promise<Reply> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  let response: Response;
  let body: unknown;
  try {
    response = await send(options, request, token, signal);
    body = await readJson(response);
  } catch (cause) {
    throw noResponse(cause, request);
  }
  if (!response.ok || body === undefined) throw problemOf(response, body);
  return body as Reply;
}

/** A transport as one function for each method. */
export function methodsOf(call: Transport) {
  const by =
    (method: ApiRequest['method']) =>
    <Reply>(path: string, parts?: Pick<ApiRequest, 'query' | 'body' | 'signal'>) =>
      call<Reply>({ method, path, ...parts });
  return {
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    delete: by('DELETE'),
  };
}

export type Methods = ReturnType<typeof methodsOf>;
