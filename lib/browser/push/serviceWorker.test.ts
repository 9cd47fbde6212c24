import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';

const ORIGIN = 'https://crossbook.example';

type Happening = Record<string, unknown> & { waitUntil(work: Promise<unknown>): void };

/** The worker as served, with the browser APIs that it needs for notifications. */
function startWorker(tabs: { url: string; focus(): Promise<void> }[] = []) {
  const listeners = new Map<string, (event: Happening) => void>();
  const showNotification = vi.fn(() => Promise.resolve());
  const openWindow = vi.fn(() => Promise.resolve());
  const self = {
    location: { origin: ORIGIN },
    registration: { showNotification },
    clients: { matchAll: () => Promise.resolve(tabs), openWindow },
    addEventListener: (type: string, listener: (event: Happening) => void) =>
      listeners.set(type, listener),
  };
  runInNewContext(readFileSync('public/sw.js', 'utf8'), { self, URL, String });
  const happen = async (type: string, event: Record<string, unknown>) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (one) => work.push(one) });
    await Promise.all(work);
  };
  return { happen, showNotification, openWindow };
}

const click = (path?: unknown) => ({ notification: { close: vi.fn(), data: { path } } });

it('shows a push message and replaces the one with the same tag', async () => {
  const worker = startWorker();
  const received = { title: 'Bought 3 Yes', body: 'Rain?', path: '/orders/1', tag: 'order:1' };
  await worker.happen('push', { data: { json: () => received } });
  expect(worker.showNotification).toHaveBeenCalledExactlyOnceWith('Bought 3 Yes', {
    body: 'Rain?',
    tag: 'order:1',
    icon: '/icons/192',
    data: { path: '/orders/1' },
  });
});

it.each([
  ['nothing', null],
  ['no JSON', { json: () => JSON.parse('…') as unknown }],
  ['no title', { json: () => ({ body: 'x' }) }],
])('given %s, still shows a notification, as browsers require', async (_, data) => {
  const worker = startWorker();
  await worker.happen('push', { data });
  expect(worker.showNotification).toHaveBeenCalledExactlyOnceWith(
    'Crossbook',
    expect.objectContaining({ data: { path: '/' } }),
  );
});

it('given a dropped subscription, shows that notifications stopped', async () => {
  const worker = startWorker();
  await worker.happen('pushsubscriptionchange', {});
  expect(worker.showNotification).toHaveBeenCalledExactlyOnceWith(
    'Notifications are off',
    expect.objectContaining({ data: { path: '/portfolio' }, tag: 'push:dropped' }),
  );
  worker.showNotification.mockRejectedValueOnce(new TypeError('no permission'));
  await expect(worker.happen('pushsubscriptionchange', {})).resolves.toBeUndefined();
});

it('a click focuses an open tab or opens one', async () => {
  const focus = vi.fn(() => Promise.resolve());
  const worker = startWorker([{ url: `${ORIGIN}/orders/1`, focus }]);
  await worker.happen('notificationclick', click('/orders/1'));
  expect(focus).toHaveBeenCalledOnce();
  expect(worker.openWindow).not.toHaveBeenCalled();
  await worker.happen('notificationclick', click('/orders/2'));
  expect(worker.openWindow).toHaveBeenCalledExactlyOnceWith(`${ORIGIN}/orders/2`);
});

it.each([
  undefined,
  'https://elsewhere.example/x',
  '//elsewhere.example',
  'javascript:alert(1)',
  'http://[',
])('a click opens no other site (%s)', async (path) => {
  const worker = startWorker();
  await worker.happen('notificationclick', click(path));
  expect(worker.openWindow).toHaveBeenCalledExactlyOnceWith(`${ORIGIN}/`);
});
