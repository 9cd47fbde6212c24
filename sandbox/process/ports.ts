import { createServer } from 'node:net';

/** Whether a TCP port of the loopback interface can be taken at this moment. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port of the loopback interface that nobody has taken. */
export function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('the system named no port')),
      );
    });
  });
}

/** The first free port from `first` on, or any free one when the next fifty are taken. */
export async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port < first + 50; port += 1) {
    if (await isPortFree(port)) return port;
  }
  return anyFreePort();
}
