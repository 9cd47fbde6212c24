import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { OpenStream } from '../../domain/notifications/stream/streamHub.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { subscriberNetwork } from '../../platform/network/ipAddress.ts';
import type { App } from '../app.ts';
import type { ClientAddress } from '../middleware/clientAddress.ts';
import type { OpenSocketStream } from '../middleware/env.ts';
import { newRequestId, problemOf } from '../middleware/problems.ts';
import { connectionOf } from '../nodeListener.ts';
import { createSocketOutlet, endSocket, GOING_AWAY } from './socketOutlet.ts';
import { type Credentials, runSocketSession, SocketRefusal } from './socketSession.ts';

export const SOCKET_PATH = '/v1/ws';
const MOST_MESSAGE_BYTES = 64 * 1024;
/** Connections that have not authenticated yet: of the process, and of one network. */
const MOST_UNKNOWN = 1_000;
const MOST_UNKNOWN_OF_NETWORK = 20;

export type SocketServer = {
  /** Whether a request is a handshake for this server; every other one is answered over HTTP. */
  isHandshake: (request: IncomingMessage) => boolean;
  upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void;
  close: () => void;
};

type SocketServerOptions = {
  app: App;
  addressOf: ClientAddress;
  publicBaseUrl: string;
  log: Log;
};

/**
 * WebSockets at `/v1/ws`. Credentials come in the headers of the handshake, or, as browsers cannot
 * set any, in the first message. Either way they run through the route of this path: the same keys,
 * tokens, quotas and log as any other request.
 */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { app, addressOf, publicBaseUrl } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const unknown = createUnknownConnections();

  /** Runs the route; returns what opens the stream, or the refusal. */
  async function ask(
    request: IncomingMessage,
    headers: Record<string, string>,
  ): Promise<OpenSocketStream | Response> {
    let open: OpenSocketStream | undefined;
    const connection = {
      ...connectionOf(request, addressOf),
      acceptSocket(opens: OpenSocketStream) {
        open = opens;
      },
    };
    const url = `http://localhost${SOCKET_PATH}?${connection.search}`;
    const response = await app.fetch(new Request(url, { headers }), connection);
    return response.ok && open ? open : response;
  }

  async function authenticate(
    request: IncomingMessage,
    socket: WebSocket,
    credentials: Credentials,
  ): Promise<() => Promise<OpenStream>> {
    const outcome = await ask(request, headersOf(request, credentials));
    if (outcome instanceof Response) throw new SocketRefusal(await outcome.text());
    return () => outcome(createSocketOutlet(socket));
  }

  function begin(request: IncomingMessage, socket: WebSocket, open?: OpenSocketStream): void {
    runSocketSession(socket, {
      publicBaseUrl,
      opening: open && (() => open(createSocketOutlet(socket))),
      authenticate: (credentials) => authenticate(request, socket, credentials),
      onAuthenticated: () => unknown.remove(socket),
    });
  }

  function accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<WebSocket> {
    return new Promise((resolve) => {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        socket.on('error', () => socket.terminate());
        resolve(socket);
      });
    });
  }

  async function upgradeKnown(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const outcome = await ask(request, headersOf(request));
    if (outcome instanceof Response) return refuse(stream, outcome);
    begin(request, await accept(request, stream, head), outcome);
  }

  async function upgradeUnknown(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const { ip } = connectionOf(request, addressOf);
    if (!unknown.hasRoom(ip)) {
      const error = new ServiceError('rate_limited', 'Too many connections without a key.', {
        retryAfterSeconds: 10,
      });
      const { status, headers, body } = problemOf(error, {
        requestId: newRequestId(),
        publicBaseUrl,
      });
      return refuse(stream, new Response(body, { status, headers }));
    }
    const socket = await accept(request, stream, head);
    unknown.add(socket, ip);
    socket.on('close', () => unknown.remove(socket));
    begin(request, socket);
  }

  return {
    isHandshake({ method, url = '', headers }) {
      const [path] = url.split('?', 1);
      return (
        method === 'GET' && path === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket'
      );
    },
    upgrade(request, stream, head) {
      // Without a listener, the error of a client that left would end the process.
      stream.on('error', () => stream.destroy());
      const isKnown = request.headers['x-api-key'] !== undefined;
      const upgraded = isKnown ? upgradeKnown : upgradeUnknown;
      upgraded(request, stream, head).catch((err: unknown) => {
        options.log.error({ err }, 'a WebSocket could not be opened');
        stream.destroy();
      });
    },
    close() {
      for (const socket of sockets.clients) endSocket(socket, GOING_AWAY, 'open it again');
      sockets.close();
    },
  };
}

/** The connections that have not authenticated yet. */
function createUnknownConnections() {
  const networks = new Map<WebSocket, string>();
  const byNetwork = new Map<string, number>();
  return {
    hasRoom(ip: string): boolean {
      const count = byNetwork.get(subscriberNetwork(ip)) ?? 0;
      return networks.size < MOST_UNKNOWN && count < MOST_UNKNOWN_OF_NETWORK;
    },
    add(socket: WebSocket, ip: string): void {
      const network = subscriberNetwork(ip);
      networks.set(socket, network);
      byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1);
    },
    remove(socket: WebSocket): void {
      const network = networks.get(socket);
      if (network === undefined) return;
      networks.delete(socket);
      const left = (byNetwork.get(network) ?? 1) - 1;
      if (left > 0) byNetwork.set(network, left);
      else byNetwork.delete(network);
    },
  };
}

const FORWARDED = ['x-api-key', 'authorization', 'last-event-id', 'origin', 'sec-fetch-site'];

/** The headers that the route reads; credentials of a message take the place of those. */
function headersOf(request: IncomingMessage, credentials?: Credentials): Record<string, string> {
  const sent = FORWARDED.flatMap((name): [string, string][] => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    ...Object.fromEntries(sent),
    ...(credentials && { 'x-api-key': credentials.apiKey }),
    ...(credentials?.token !== undefined && { authorization: `Bearer ${credentials.token}` }),
    ...(credentials?.lastEventId !== undefined && { 'last-event-id': credentials.lastEventId }),
  };
}

/** Answers a handshake over HTTP. */
async function refuse(stream: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  response.headers.set('content-length', String(Buffer.byteLength(body)));
  response.headers.set('connection', 'close');
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const { status } = response;
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
