import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../platform/errors.ts';
import type { ClientAddress } from './clientAddress.ts';
import type { ApiRequest } from './message.ts';

/** A request of node:http. What most requests are never asked for is made when it is. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  private readonly message: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly addressOf: ClientAddress;
  private gone: AbortController | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, addressOf: ClientAddress) {
    const url = message.url ?? '/';
    const mark = url.indexOf('?');
    this.method = message.method ?? 'GET';
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.search = mark === -1 ? '' : url.slice(mark + 1);
    this.message = message;
    this.response = response;
    this.addressOf = addressOf;
  }

  header(name: string): string | undefined {
    // Read from the list as it came: an object of all headers costs more than the few looks at it.
    const { rawHeaders } = this.message;
    let found: string | undefined;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const one = rawHeaders[index];
      if (one === undefined || one.length !== name.length || one.toLowerCase() !== name) continue;
      if (found !== undefined) return this.joinedHeader(name);
      found = rawHeaders[index + 1];
    }
    return found;
  }

  /** What came more than once is joined or refused by the rules of HTTP, which node:http knows. */
  private joinedHeader(name: string): string | undefined {
    const value = this.message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  get ip(): string {
    return this.addressOf(this.message.socket.remoteAddress, this.header('x-forwarded-for'));
  }

  get peer(): string | undefined {
    return this.message.socket.remoteAddress;
  }

  get signal(): AbortSignal {
    if (!this.gone) {
      const gone = new AbortController();
      this.gone = gone;
      if (this.response.destroyed) gone.abort();
      else this.response.on('close', () => gone.abort());
    }
    return this.gone.signal;
  }

  async readBody(limitBytes: number): Promise<Uint8Array | 'too_large'> {
    const { message } = this;
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
      throw new ServiceError('malformed_json', 'The body is incomplete.', { cause });
    }
    return Buffer.concat(chunks);
  }
}
