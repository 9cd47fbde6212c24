import { connect, type Socket } from 'node:net';
import { notifyParent, settingsFromParent } from '../harness/child.ts';

/**
 * A load generator with little overhead: raw sockets, prepared requests, one request in flight per
 * connection. Each message of the parent is one round.
 */
export type LoadSettings = {
  host: string;
  port: number;
  /** For each connection the requests it sends, over and over. */
  requests: string[][];
};
/** For how long, or each request once. */
export type LoadOrder = { durationMs: number } | { each: 'once' };
export type LoadDone = { latenciesMs: number[]; tookMs: number; failure?: string };

const HEAD_END = Buffer.from('\r\n\r\n');

class Connection {
  private readonly socket: Socket;
  private readonly requests: Buffer[];
  private next = 0;
  private sentAt = 0;
  private received: Buffer = Buffer.alloc(0);
  private wanted = -1;
  private onResponse: (latencyMs: number, failure?: string) => void = () => undefined;

  constructor(socket: Socket, requests: string[]) {
    this.socket = socket;
    this.requests = requests.map((text) => Buffer.from(text));
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', (error) => this.onResponse(0, error.message));
    socket.on('close', () => this.onResponse(0, 'the server closed a connection'));
  }

  get hasSentAll(): boolean {
    return this.next >= this.requests.length;
  }

  send(onResponse: (latencyMs: number, failure?: string) => void): void {
    this.onResponse = onResponse;
    this.wanted = -1;
    this.received = Buffer.alloc(0);
    this.sentAt = performance.now();
    const request = this.requests[this.next % this.requests.length];
    this.next += 1;
    if (request) this.socket.write(request);
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    if (this.wanted === -1) this.readHead();
    if (this.wanted === -1 || this.received.length < this.wanted) return;
    this.onResponse(performance.now() - this.sentAt);
  }

  private readHead(): void {
    const end = this.received.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.received.toString('latin1', 0, end);
    const status = head.slice(9, 12);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined || !status.startsWith('2')) {
      this.onResponse(
        0,
        `responded with ${status}: ${this.received.toString('utf8', end, end + 300)}`,
      );
      return;
    }
    this.wanted = end + HEAD_END.length + Number(length);
  }
}

function round(connections: readonly Connection[], order: LoadOrder): Promise<LoadDone> {
  const isOver = (connection: Connection, tookMs: number) =>
    'each' in order ? connection.hasSentAll : tookMs >= order.durationMs;
  return new Promise((resolve) => {
    const begunAt = performance.now();
    const latenciesMs: number[] = [];
    let busy = connections.length;
    let failure: string | undefined;
    for (const connection of connections) {
      const again = (latencyMs: number, problem?: string): void => {
        failure ??= problem;
        if (problem === undefined) latenciesMs.push(latencyMs);
        const tookMs = performance.now() - begunAt;
        if (failure === undefined && !isOver(connection, tookMs)) connection.send(again);
        else {
          busy -= 1;
          if (busy === 0 || failure !== undefined) {
            resolve({ latenciesMs, tookMs, ...(failure === undefined ? {} : { failure }) });
          }
        }
      };
      connection.send(again);
    }
  });
}

const settings = await settingsFromParent<LoadSettings>();
const connections = await Promise.all(
  settings.requests.map(
    (requests) =>
      new Promise<Connection>((resolve, reject) => {
        const socket = connect({ host: settings.host, port: settings.port });
        socket.once('error', reject);
        socket.once('connect', () => resolve(new Connection(socket, requests)));
      }),
  ),
);
process.on('message', (order: LoadOrder) => {
  void round(connections, order).then(notifyParent);
});
notifyParent({ ready: true });
