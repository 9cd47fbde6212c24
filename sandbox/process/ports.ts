import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
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
/** Counted up from a random multiple of the step, so that processes rarely try the same ports. */
let nextPort: number = randomInt(LISTENING_PORTS[0] / STEP, LISTENING_PORTS[1] / STEP) * STEP;

/** The longest that a program takes from its start until it listens. */
const CLAIM_MS = 120_000;

/**
 * Claims a port until its program listens. The claim is the UDP port of the same number, which the
 * system gives to one process at a time.
 */
function claimPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const claim = createSocket('udp4');
    claim.once('error', () => resolve(false));
    claim.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      claim.unref();
      setTimeout(() => claim.close(), CLAIM_MS).unref();
      resolve(true);
    });
  });
}

/** A free port of the loopback interface, which no other process gets in the next two minutes. */
export async function anyFreePort(): Promise<number> {
  const [first, last] = LISTENING_PORTS;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = nextPort;
    nextPort = port + STEP > last ? first : port + STEP;
    if ((await claimPort(port)) && (await isPortFree(port))) return port;
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
