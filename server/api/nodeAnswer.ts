import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import {
  isLiveBody,
  type LiveBody,
  type LiveSink,
} from '../domain/notifications/stream/liveBody.ts';
import type { ApiResponse } from './message.ts';
import type { ReadyResponse } from './readyAnswers.ts';

/** Sends an answer over node:http. */
export function sendResponse(
  message: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
): void {
  // A body nobody read would be taken for the next request of the connection.
  if (!message.complete && message.method !== 'GET' && message.method !== 'HEAD') {
    headers.connection = 'close';
  }
  if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
  else if (body instanceof Uint8Array) headers['content-length'] = String(body.length);
  response.writeHead(status, headers);
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body ?? undefined);
  } else if (isLiveBody(body)) {
    sendLive(response, body);
  } else {
    const stream = Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
    stream.on('error', () => response.destroy());
    response.on('close', () => stream.destroy());
    stream.pipe(response);
  }
}

/** Sends an answer to a request without a body. */
export function sendReady(
  response: ServerResponse,
  { status, headers, body, encoding }: ReadyResponse,
): void {
  response.writeHead(status, headers);
  if (typeof body === 'string') response.end(body, encoding);
  else response.end(body ?? undefined);
}

function sendLive(response: ServerResponse, body: LiveBody): void {
  response.flushHeaders();
  response.on('close', () => body.detach());
  body.attach(new ResponseSink(response));
}

class ResponseSink implements LiveSink {
  private readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  write(bytes: Uint8Array): void {
    this.response.write(bytes);
  }

  waitingBytes(): number {
    return this.response.writableLength;
  }

  end(): void {
    this.response.end();
  }
}
