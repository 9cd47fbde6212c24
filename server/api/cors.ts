import type { ApiRequest } from './message.ts';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = 'authorization, content-type, x-api-key, last-event-id, if-none-match';
const EXPOSED_HEADERS =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, content-disposition, etag';
const PREFLIGHT_SECONDS = '600';

export function isPreflight(request: ApiRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  );
}

/** Headers that let a page read the response, where its key names the page's origin. */
export function corsHeaders(
  origin: string | undefined,
  isAllowed: boolean,
): Record<string, string> {
  if (origin === undefined || !isAllowed) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
}

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': PREFLIGHT_SECONDS,
};
