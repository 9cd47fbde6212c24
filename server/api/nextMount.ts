import { isLiveBody, webStreamOf } from '../domain/notifications/stream/liveBody.ts';
import { getApi } from './api.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import type { Api } from './pipeline.ts';

async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return 'too_large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > limitBytes) return 'too_large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toApiRequest(request: Request): ApiRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    search: url.search.slice(1),
    // Next compresses what it sends, also what is compressed already.
    header: (name) =>
      name === 'accept-encoding' ? undefined : (request.headers.get(name) ?? undefined),
    // Next names the peer as the last entry.
    ip: request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown',
    // Not told here, so nothing that rests on a proxy's word is believed.
    peer: undefined,
    readBody: (limitBytes) => readBody(request, limitBytes),
    signal: request.signal,
  };
}

function toResponse(answer: ApiResponse): Response {
  const body = isLiveBody(answer.body) ? webStreamOf(answer.body) : answer.body;
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** Serves the API in Web requests and answers. */
export function createWebHandler(api: () => Promise<Api>) {
  return async (request: Request): Promise<Response> =>
    toResponse(await (await api()).handle(toApiRequest(request)));
}

const handle = createWebHandler(getApi);

/** The handlers of one mount below `app/v1`: the table of routes decides by path and method. */
export function mountRoute() {
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}
