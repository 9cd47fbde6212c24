import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';

/** A proxy between browser and service: it can cut the connection and serve another release. */
type Network = {
  baseUrl: string;
  /** Forwarded requests, by path. */
  seen: Map<string, number>;
  cut: () => void;
  restore: () => void;
  /** Serves this text at that path from now on, like a new release. */
  release: (path: string, text: string, contentType: string) => void;
  close: () => Promise<void>;
};

async function openNetwork(): Promise<Network> {
  const target = new URL(sandbox().baseUrl);
  const seen = new Map<string, number>();
  const released = new Map<string, { text: string; contentType: string }>();
  let isCut = false;
  const pass = (incoming: IncomingMessage, reply: ServerResponse) => {
    if (isCut) {
      incoming.socket.destroy();
      return;
    }
    const path = new URL(incoming.url ?? '/', target).pathname;
    seen.set(path, (seen.get(path) ?? 0) + 1);
    const own = released.get(path);
    if (own) {
      reply.writeHead(200, { 'content-type': own.contentType }).end(own.text);
      return;
    }
    const { hostname, port } = target;
    const options = { hostname, port, path: incoming.url, method: incoming.method };
    const outgoing = request({ ...options, headers: incoming.headers }, (response) => {
      reply.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(reply);
    });
    outgoing.on('error', () => reply.destroy());
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(pass);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    cut() {
      isCut = true;
      server.closeAllConnections();
    },
    restore() {
      isCut = false;
    },
    release: (path, text, contentType) => released.set(path, { text, contentType }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Waits until the worker controls the pages of this visit. */
async function becomeControlled(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Every URL that the browser has cached, by cache name. */
function keptByBrowser(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const kept: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      kept[name] = requests.map(({ url }) => new URL(url).pathname).sort();
    }
    return kept;
  });
}

const OFFLINE_FILES = ['/icon.svg', '/offline.css', '/offline.html', '/offline.js'];

test.describe('with a service worker:', () => {
  test.use({ serviceWorkers: 'allow' });
  let network: Network;
  test.beforeEach(async () => {
    network = await openNetwork();
  });
  test.afterEach(() => network.close());

  test('an offline page says so and reloads when the network returns', {
    tag: '@phone-long',
  }, async ({ page }) => {
    await becomeControlled(page, network.baseUrl);
    network.cut();
    await page.goto(`${network.baseUrl}/portfolio`);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    await expect(page.getByText('orders you placed are still being processed')).toBeVisible();
    // The cached page has its styles: a column with a maximum width.
    const width = await page.getByRole('main').evaluate((main) => main.clientWidth);
    expect(width).toBeLessThanOrEqual(400);
    const picture = page.getByRole('main').locator('img');
    expect(await picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(
      0,
    );
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();

    network.restore();
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Portfolio', exact: true })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/portfolio');

    // A link changes the page without loading it anew.
    network.cut();
    await page.getByRole('link', { name: 'Orders', exact: true }).filter({ visible: true }).click();
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/orders');
    network.restore();
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible();
  });

  test('the offline page uses the chosen theme and disappears on reconnect', {
    tag: '@long',
  }, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('crossbook.theme', 'dark'));
    await page.emulateMedia({ colorScheme: 'light' });
    await becomeControlled(page, network.baseUrl);
    network.cut();
    await page.goto(`${network.baseUrl}/status`);
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
    const scheme = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await scheme()).toBe('dark');
    network.restore();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByRole('heading', { name: 'System status' })).toBeVisible();
  });

  test('a new release replaces the service worker, and API responses are never cached', {
    tag: '@long',
  }, async ({ page }) => {
    await becomeControlled(page, network.baseUrl);
    const [first] = Object.entries(await keptByBrowser(page));
    expect(first?.[1]).toEqual(OFFLINE_FILES);

    const status = () =>
      page.evaluate(() =>
        fetch('/v1/status').then(
          ({ ok }) => ok,
          () => 'no network',
        ),
      );
    const before = network.seen.get('/v1/status') ?? 0;
    expect([await status(), await status()]).toEqual([true, true]);
    expect(network.seen.get('/v1/status')).toBeGreaterThanOrEqual(before + 2);

    const old = await (await fetch(`${sandbox().baseUrl}/sw.js`)).text();
    const name = first?.[0] ?? '';
    expect(old).toContain(`'${name}'`);
    network.release('/sw.js', old.replace(`'${name}'`, "'crossbook-next'"), 'text/javascript');
    network.release('/offline.html', '<h1>Offline, as of the next release</h1>', 'text/html');
    // The browser checks for a new worker whenever a page is opened.
    await page.goto(`${network.baseUrl}/status`);
    await expect.poll(() => keptByBrowser(page)).toEqual({ 'crossbook-next': OFFLINE_FILES });

    network.cut();
    expect(await status()).toBe('no network');
    await page.goto(`${network.baseUrl}/orders`);
    await expect(page.getByRole('heading', { name: 'as of the next release' })).toBeVisible();
  });
});
