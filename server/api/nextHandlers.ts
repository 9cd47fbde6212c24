import type { App } from './app.ts';
import { getApi } from './server.ts';

/** Serves the API behind Next, as the development server does. */
export function createNextHandler(api: () => Promise<App>) {
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    // Next would compress our compressed responses again.
    headers.delete('accept-encoding');
    const { method, body, signal } = request;
    const parts: RequestInit & { duplex: 'half' } = {
      method,
      headers,
      body,
      signal,
      duplex: 'half',
    };
    // Next passes a proxy, which cannot be copied.
    return await (await api()).fetch(new Request(request.url, parts), {
      path: url.pathname,
      search: url.search.slice(1),
      // Next names the peer as the last entry.
      ip: request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? 'unknown',
      // Unknown here, so headers of proxies are not trusted.
      peer: undefined,
    });
  };
}

const handle = createNextHandler(getApi);

/** The handlers of the catch-all routes below `app`: the API decides by path and method. */
export const nextHandlers = {
  GET: handle,
  HEAD: handle,
  POST: handle,
  PUT: handle,
  PATCH: handle,
  DELETE: handle,
  OPTIONS: handle,
};
