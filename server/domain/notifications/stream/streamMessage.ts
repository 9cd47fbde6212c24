import type { StreamEventName } from '#lib/api/schemas/stream.ts';

const encoder = new TextEncoder();

/** One event, encoded once for all readers of each protocol. */
export class StreamMessage {
  private readonly event: StreamEventName;
  private readonly json: string;
  private readonly id: bigint | undefined;
  private serverSent: Uint8Array | undefined;
  private socket: Uint8Array | undefined;

  /** @param id only of events that a reader can resume from */
  constructor(event: StreamEventName, data: unknown, id?: bigint) {
    this.event = event;
    this.json = typeof data === 'string' ? data : JSON.stringify(data);
    this.id = id;
  }

  /** As a server-sent event. */
  asServerSent(): Uint8Array {
    const idLine = this.id === undefined ? '' : `id: ${this.id}\n`;
    this.serverSent ??= encoder.encode(`${idLine}event: ${this.event}\ndata: ${this.json}\n\n`);
    return this.serverSent;
  }

  /** As the text of a WebSocket frame. */
  asSocketText(): Uint8Array {
    const id = this.id === undefined ? '' : `"id":"${this.id}",`;
    this.socket ??= encoder.encode(`{"type":"${this.event}",${id}"data":${this.json}}`);
    return this.socket;
  }
}
