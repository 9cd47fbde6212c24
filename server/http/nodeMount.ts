import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { ErrorCode } from '#lib/api/errorCodes.ts';
import { ServiceError } from '../errors.ts';
import type { ClientAddress } from './clientAddress.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import type { Api } from './pipeline.ts';
import { newRequestId, problemResponse } from './problem.ts';
import { apiSecurityHeaders, type SecurityScope } from './securityHeaders.ts';

/** Whether the API answers this path, rather than the pages. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/') || path === '/.well-known/jwks.json';
}

async function readBody(
  message: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | 'too_large'> {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) return 'too_large';
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) return 'too_large';
      chunks.push(chunk);
    }
  } catch (cause) {
    // The sender went away, or was cut off for being slow.
    throw new ServiceError('malformed_json', 'The body did not arrive whole.', { cause });
  }
  return Buffer.concat(chunks);
}

function toApiRequest(
  message: IncomingMessage,
  addressOf: ClientAddress,
  signal: AbortSignal,
): ApiRequest {
  const url = message.url ?? '/';
  const mark = url.indexOf('?');
  const header = (name: string) => {
    const value = message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return {
    method: message.method ?? 'GET',
    path: mark === -1 ? url : url.slice(0, mark),
    search: mark === -1 ? '' : url.slice(mark + 1),
    header,
    ip: addressOf(message.socket.remoteAddress, header('x-forwarded-for')),
    readBody: (limitBytes) => readBody(message, limitBytes),
    signal,
  };
}

function send(message: IncomingMessage, response: ServerResponse, answer: ApiResponse): void {
  // A body nobody read would be taken for the next request of the connection.
  const unread = !message.complete && message.method !== 'GET' && message.method !== 'HEAD';
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(unread ? { connection: 'close' } : {}),
    ...(typeof answer.body === 'string'
      ? { 'content-length': String(Buffer.byteLength(answer.body)) }
      : {}),
  });
  if (answer.body === null || typeof answer.body === 'string') {
    response.end(answer.body ?? undefined);
    return;
  }
  const stream = Readable.fromWeb(answer.body as NodeReadableStream<Uint8Array>);
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}

/**
 * Answers what is no request: node:http tells of it on the connection, before there is one. The
 * answer has the form of every other error.
 */
export function answerClientError(
  error: Error & { code?: string },
  socket: Duplex,
  scope: SecurityScope,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = CLIENT_ERRORS[error.code ?? ''] ?? 'malformed_http';
  const { status, headers, body } = problemResponse(
    new ServiceError(code, 'Nothing was created. Check what sends the request.'),
    { requestId: newRequestId(), publicBaseUrl: scope.publicBaseUrl },
  );
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({
      ...apiSecurityHeaders(scope),
      ...headers,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Serves the API on node:http. */
export function createNodeHandler(api: Api, addressOf: ClientAddress) {
  return (message: IncomingMessage, response: ServerResponse): void => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    api
      .handle(toApiRequest(message, addressOf, gone.signal))
      .then((answer) => {
        if (!response.destroyed) send(message, response, answer);
      })
      .catch(() => response.destroy());
  };
}
