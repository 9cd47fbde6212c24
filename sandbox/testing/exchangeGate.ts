import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy in front of the exchange: it can delay order messages and lose their responses. */
export type ExchangeGate = {
  /** …/trade-api/v2 */
  url: string;
  /**
   * Delays the next order message, whether its sender still waits or not.
   * @returns `arrived` when it is at the gate, `answered` with the exchange's status once it was
   * passed on
   */
  holdNextOrder(milliseconds: number): { arrived: Promise<void>; answered: Promise<number> };
  /** The exchange receives the next order messages, but their senders get no response. */
  dropNextReplies(count: number): void;
  /** The messages that placed, changed or cancelled orders, which the exchange accepted. */
  accepted: readonly OrderMessage[];
  close(): Promise<void>;
};

/** A message with the text of its body. */
type OrderMessage = { method: string; path: string; text: string };

type Hold = { milliseconds: number; arrived: () => void; answered: (status: number) => void };

/** Opens a gate in front of the exchange at `url` (…/trade-api/v2). */
export async function openExchangeGate(url: string): Promise<ExchangeGate> {
  const target = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const holds: Hold[] = [];
  const sockets = new Set<Socket>();
  const accepted: OrderMessage[] = [];
  let repliesToDrop = 0;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const isOrder =
      incoming.method === 'POST' && /\/events\/orders(\/batched)?$/.test(incoming.url ?? '');
    const hold = isOrder ? holds.shift() : undefined;
    hold?.arrived();
    if (hold) await delay(hold.milliseconds);
    const reply = await ask(incoming, body);
    const text = await buffer(reply);
    hold?.answered(reply.statusCode ?? 0);
    note(incoming, body, reply.statusCode ?? 502);
    if (isOrder && repliesToDrop > 0) {
      repliesToDrop -= 1;
      incoming.socket.destroy();
      return;
    }
    if (outgoing.destroyed) return;
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers).end(text);
  }

  function note({ method = 'GET', url: path = '' }: IncomingMessage, body: Buffer, status: number) {
    if (method === 'GET' || !path.includes('/events/orders') || status >= 300) return;
    accepted.push({ method, path, text: body.toString() });
  }

  function ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { 'transfer-encoding': _chunked, ...headers } = incoming.headers;
    const { method, url: path } = incoming;
    const { hostname: host, port } = target;
    return new Promise((resolve, reject) => {
      request(
        {
          host,
          port,
          path,
          method,
          agent,
          headers: { ...headers, 'content-length': String(body.length) },
        },
        resolve,
      )
        .on('error', reject)
        .end(body);
    });
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const behind = connect(Number(target.port), target.hostname, () => {
      const { rawHeaders, url: path = '/' } = incoming;
      const lines = rawHeaders.flatMap((name, n) =>
        n % 2 === 0 ? [`${name}: ${rawHeaders[n + 1] ?? ''}`] : [],
      );
      behind.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      behind.write(head);
      socket.pipe(behind).pipe(socket);
    });
    for (const one of [socket, behind]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => {
        socket.destroy();
        behind.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    accepted,
    holdNextOrder(milliseconds) {
      let hold: Hold | undefined;
      const arrived = new Promise<void>((resolveArrived) => {
        hold = { milliseconds, arrived: resolveArrived, answered: () => undefined };
      });
      const answered = new Promise<number>((resolveAnswered) => {
        if (hold) holds.push(Object.assign(hold, { answered: resolveAnswered }));
      });
      return { arrived, answered };
    },
    dropNextReplies(count) {
      repliesToDrop = count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
