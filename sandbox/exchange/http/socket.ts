import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { Refusal } from '../order.ts';
import type { Exchange } from '../state.ts';
import { authenticate } from './auth.ts';
import { createSession } from './session.ts';

export const SOCKET_PATH = '/trade-api/ws/v2';
const PING_EVERY_MS = 10_000;

/** Attaches the WebSocket side to the HTTP server; every connection must be signed. */
export function attachSockets(exchange: Exchange, server: Server): () => void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Without a listener from here on, the error of a disconnected caller would end the process.
    stream.on('error', () => stream.destroy());
    try {
      const path = new URL(request.url ?? '/', 'http://exchange').pathname;
      if (path !== SOCKET_PATH) throw new Refusal(404, 'not_found', 'no such endpoint');
      const { account } = authenticate(exchange, request.headers, 'GET', path);
      sockets.handleUpgrade(request, stream, head, (socket) => {
        serve(exchange, socket, account.id);
      });
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      stream.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`);
    }
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function serve(exchange: Exchange, socket: WebSocket, accountId: string): void {
  const session = createSession(exchange, accountId, (text) => {
    if (socket.readyState === socket.OPEN && !exchange.faults.socketSilent) socket.send(text);
  });
  const pinger = setInterval(() => {
    if (!exchange.faults.socketSilent) socket.ping('heartbeat');
  }, PING_EVERY_MS);
  const stopListening = exchange.signals.listen((signal) => session.hear(signal));
  socket.on('message', (data) => session.command(Buffer.isBuffer(data) ? data.toString() : ''));
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearInterval(pinger);
    stopListening();
  });
}
