import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postMessage } from '../../domain/notifications/postMessage.ts';
import { createHostResolver, type HostResolver } from './hostResolver.ts';
import { type NameServer, startNameServer } from './testing/nameServer.ts';

let server: NameServer;
let resolveHost: HostResolver;

beforeAll(async () => {
  server = await startNameServer({
    'good.example': ['93.184.215.14', '93.184.215.15'],
    'rebound.example': ['93.184.215.14', '169.254.169.254'],
  });
  resolveHost = createHostResolver({ servers: [server.address] });
});
afterAll(() => server.close());

const addressesOf = async (host: string) => (await resolveHost(host)).map(({ address }) => address);

// Concurrent, because two tests wait for a lookup to time out.
describe.concurrent('a host', () => {
  test.each([
    ['good.example', ['93.184.215.14', '93.184.215.15']],
    ['GOOD.example', ['93.184.215.14', '93.184.215.15']],
    ['203.0.113.9', ['203.0.113.9']],
    ['::1', ['::1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['LocalHost.', ['127.0.0.1', '::1']],
    ['web.localhost', ['127.0.0.1', '::1']],
  ])('%s has its addresses', async (host, addresses) => {
    expect(await addressesOf(host)).toEqual(addresses);
  });

  test('that is this machine, or an address, needs no lookup', async () => {
    await Promise.all(['localhost', 'web.localhost', '127.0.0.1'].map(resolveHost));
    expect([...server.asked].filter((name) => !name.endsWith('example'))).toEqual([]);
  });

  test.each(['none.example', 'notlocalhost', 'a.hole.example'])(
    '%s has no address',
    async (host) => {
      await expect(resolveHost(host)).rejects.toThrow('has no address');
    },
  );
});

test.concurrent('names whose servers do not respond fail in time, and delay no other name', async () => {
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  const silent = Promise.allSettled(
    Array.from({ length: 64 }, (_, index) => resolveHost(`${index}.hole.example`)),
  );
  await expect.poll(() => server.asked.has('63.hole.example')).toBe(true);
  await Promise.all([lookup('localhost'), lookup('127.0.0.1'), resolveHost('good.example')]);
  expect(elapsed()).toBeLessThan(1_000);
  const outcomes = await silent;
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect(elapsed()).toBeLessThan(4_500);
});

test('more names at once than a process sends are refused at once', async () => {
  const own = createHostResolver({ servers: [server.address] });
  const silent = Array.from({ length: 256 }, (_, index) => own(`x${index}.hole.example`));
  await expect(own('good.example')).rejects.toThrow('too many');
  await Promise.allSettled(silent);
  expect(await own('good.example')).toHaveLength(2);
});

test('a name with any forbidden address is refused, with the reason', async () => {
  const send = (host: string) =>
    postMessage(
      `https://${host}/`,
      { headers: {}, body: '{}' },
      { allowLocal: false, resolveHost },
    );
  expect(await send('rebound.example')).toMatchObject({
    error: 'the address is not on the public internet',
  });
  expect(await send('none.example')).toMatchObject({ error: 'the name cannot be resolved' });
});
