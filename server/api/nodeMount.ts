import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '#lib/api/errorCodes.ts';
import { isLiveBody } from '../domain/notifications/stream/liveBody.ts';
import { ServiceError } from '../platform/errors.ts';
import type { ClientAddress } from './clientAddress.ts';
import { sendReady, sendResponse } from './nodeAnswer.ts';
import { NodeRequest } from './nodeRequest.ts';
import type { Api } from './pipeline.ts';
import { newRequestId, problemResponse } from './problem.ts';
import { apiSecurityHeaders, type SecurityScope } from './securityHeaders.ts';

/** Whether the API answers this path, rather than the pages. */
export function isApiPath(path: string): boolean {
  if (path === '/v1' || path.startsWith('/v1/')) return true;
  return path.startsWith('/operator/v1/') || path === '/.well-known/jwks.json';
}

/**
 * Answers what is no request: node:http tells of it on the connection, before there is one. The
 * answer has the form of every other error.
 */
export function responseClientError(
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

/** Answers a request whose target is none: Next would fail on it, and say that we did. */
export function responseMalformed(response: ServerResponse, scope: SecurityScope): void {
  const { status, headers, body } = refusal('malformed_http', scope);
  response.writeHead(status, headers).end(body);
}

function refusal(code: ErrorCode, scope: SecurityScope) {
  const { status, headers, body } = problemResponse(
    new ServiceError(code, 'Nothing was created. Check the HTTP client.'),
    { requestId: newRequestId(), publicBaseUrl: scope.publicBaseUrl },
  );
  const more = { 'content-length': Buffer.byteLength(body), connection: 'close' };
  return { status, headers: { ...apiSecurityHeaders(scope), ...headers, ...more }, body };
}

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Serves the API on node:http. */
export function createNodeHandler(api: Api, addressOf: ClientAddress) {
  return (message: IncomingMessage, response: ServerResponse): void => {
    const request = new NodeRequest(message, response, addressOf);
    const ready = api.responseNow?.(request);
    if (ready) {
      sendReady(response, ready);
      return;
    }
    api
      .handle(request)
      .then((answer) => {
        if (!response.destroyed) sendResponse(message, response, answer);
        else if (isLiveBody(answer.body)) answer.body.detach();
      })
      .catch(() => response.destroy());
  };
}
