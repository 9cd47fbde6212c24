import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether a TCP port of the loopback interface is free at this moment. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Below the ephemeral ports, which outgoing connections occupy. */
const LISTENING_PORTS = [20_000, 32_000] as const;
const MOST_TRIES = 200;

/** Programs of one sandbox may listen on the ports after one that was given to the first of them. */
const STEP = 10;
/** Counted up: two processes that start programs at the same moment rarely propose the same port. */
let nextPort: number = randomInt(LISTENING_PORTS[0], LISTENING_PORTS[1] + 1);

/** A free port of the loopback interface. */
export async function anyFreePort(): Promise<number> {
  const [first, last] = LISTENING_PORTS;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = nextPort;
    nextPort = port + STEP > last ? first : port + STEP;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no port from ${first} to ${last} is free`);
}

/** The first free port from `first` on, or any free one when the next fifty are taken. */
export async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port < first + 50; port += 1) {
    if (await isPortFree(port)) return port;
  }
  return anyFreePort();
}
