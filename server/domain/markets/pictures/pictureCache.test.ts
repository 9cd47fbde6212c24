import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPictureCache, MAX_PICTURE_BYTES } from './pictureCache.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

let server: Server;
let origin = '';
const asked: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const type = (name: string) => response.setHeader('content-type', name);
    if (url.startsWith('/a.svg')) {
      type('image/svg+xml; charset=utf-8');
      response.end(SVG);
    } else if (url === '/page') {
      type('text/html');
      response.end('<script>alert(1)</script>');
    } else if (url === '/large') {
      type('image/png');
      response.end(Buffer.alloc(MAX_PICTURE_BYTES + 1));
    } else if (url === '/moved') {
      response.writeHead(302, { location: '/a.svg' }).end();
    } else response.writeHead(404, { 'content-type': 'image/png' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

const resolveHost = async () => [{ address: '127.0.0.1', family: 4 }];
const open = (localOrigin: string | undefined) => createPictureCache({ resolveHost, localOrigin });

test('given a picture, readers share one request', async () => {
  const pictures = open(origin);
  const url = `${origin}/a.svg?shared`;
  const [first, second] = await Promise.all([pictures.read(url), pictures.read(url)]);
  expect(first).toMatchObject({ type: 'image/svg+xml' });
  expect(first?.bytes.toString()).toBe(SVG);
  expect(first?.etag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(second).toBe(first);
  expect(await pictures.read(url)).toBe(first);
  expect(asked.filter((path) => path.endsWith('?shared'))).toHaveLength(1);
});

test.each(['/page', '/large', '/moved', '/none'])('given %s, there is no picture', async (path) => {
  expect(await open(origin).read(`${origin}${path}`)).toBeUndefined();
});

test('given no picture, asks again only later', async () => {
  const pictures = open(origin);
  await pictures.read(`${origin}/none?again`);
  await pictures.read(`${origin}/none?again`);
  expect(asked.filter((path) => path.endsWith('?again'))).toHaveLength(1);
});

test('given an address inside our network, requests nothing', async () => {
  const before = asked.length;
  const port = new URL(origin).port;
  for (const url of [
    `${origin}/a.svg`,
    `https://127.0.0.1:${port}/a.svg`,
    // Resolves to this machine.
    `https://images.example.org:${port}/a.svg`,
    'https://[::1]/a.svg',
    'https://169.254.169.254/latest',
  ]) {
    expect(await open(undefined).read(url), url).toBeUndefined();
  }
  const elsewhere = open('http://127.0.0.1:1');
  expect(await elsewhere.read(`${origin}/a.svg`)).toBeUndefined();
  expect(asked).toHaveLength(before);
});
