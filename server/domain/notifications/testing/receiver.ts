import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedMessage = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
};

/** A target that keeps what it receives and responds as set. */
export type Receiver = {
  url: string;
  received: ReceivedMessage[];
  respondWith(respond: (message: ReceivedMessage) => { status: number; location?: string }): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedMessage[] = [];
  let respond: (message: ReceivedMessage) => { status: number; location?: string } = () => ({
    status: 204,
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(message);
      const { status, location } = respond(message);
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respondWith(next) {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
