import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { ErrorCode } from '#lib/api/errorCodes.ts';
import { ServiceError } from '../platform/errors.ts';
import type { App } from './app.ts';
import type { ClientAddress } from './middleware/clientAddress.ts';
import type { Connection } from './middleware/env.ts';
import { newRequestId, problemOf } from './middleware/problems.ts';
import { apiSecurityHeaders, type SecurityScope } from './securityHeaders.ts';

/** Whether the API serves this path, rather than the pages. */
export function isApiPath(path: string): boolean {
  if (path === '/v1' || path.startsWith('/v1/')) return true;
  return path.startsWith('/operator/v1/') || path === '/.well-known/jwks.json';
}

/** Responds with a problem document to bytes that node:http cannot parse as a request. */
export function refuseClientError(
  error: Error & { code?: string },
  socket: Duplex,
  scope: SecurityScope,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = CLIENT_ERRORS[error.code ?? ''] ?? 'malformed_http';
  const { status, headers, body } = refusal(code, scope);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Responds to a malformed target, on which Next would fail with 500. */
export function refuseMalformed(response: ServerResponse, scope: SecurityScope): void {
  const { status, headers, body } = refusal('malformed_http', scope);
  response.writeHead(status, headers).end(body);
}

function refusal(code: ErrorCode, scope: SecurityScope) {
  const { status, headers, body } = problemOf(
    new ServiceError(code, 'Nothing was created. Check the HTTP client.'),
    { requestId: newRequestId(), publicBaseUrl: scope.publicBaseUrl },
  );
  const more = { 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  return { status, headers: { ...apiSecurityHeaders(scope), ...headers, ...more }, body };
}

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Serves the API on node:http. */
export function createNodeListener(
  app: App,
  addressOf: ClientAddress,
  scope: SecurityScope,
): RequestListener {
  const listen = getRequestListener(
    (request, { incoming }) =>
      // Only HTTP/2 servers pass another kind of message.
      app.fetch(request, connectionOf(incoming as IncomingMessage, addressOf)),
    {
      // For requests without a host, as HTTP/1.0 allows; no route reads it.
      hostname: 'localhost',
      errorHandler(error) {
        const isMalformed = error instanceof Error && error.name === 'RequestError';
        const refused = refusal(isMalformed ? 'malformed_http' : 'internal_error', scope);
        return new Response(refused.body, { status: refused.status, headers: refused.headers });
      },
    },
  );
  return (incoming, outgoing) => void listen(incoming, outgoing);
}

/** What the server knows of a request besides its headers and body. */
export function connectionOf(incoming: IncomingMessage, addressOf: ClientAddress): Connection {
  const { url = '/', method, socket, headers } = incoming;
  const mark = url.indexOf('?');
  const forwardedFor = headers['x-forwarded-for'];
  return {
    path: mark === -1 ? url : url.slice(0, mark),
    search: mark === -1 ? '' : url.slice(mark + 1),
    ip: addressOf(
      socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join(', ') : forwardedFor,
    ),
    peer: socket.remoteAddress,
    hasUnreadBody: method === 'GET' || method === 'HEAD' ? undefined : () => !incoming.complete,
  };
}
