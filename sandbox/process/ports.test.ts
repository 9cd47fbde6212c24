import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { anyFreePort } from './ports.ts';

it('given a port that another process has claimed, takes a later one', async () => {
  const next = (await anyFreePort()) + 10;
  const claim = createSocket('udp4').bind({ port: next, address: '127.0.0.1', exclusive: true });
  await once(claim, 'listening');
  expect(await anyFreePort()).not.toBe(next);
  claim.close();
});

it('given a port that a program listens on, takes a later one', async () => {
  const next = (await anyFreePort()) + 10;
  const program = createServer().listen(next, '127.0.0.1');
  await once(program, 'listening');
  expect(await anyFreePort()).not.toBe(next);
  program.close();
});
