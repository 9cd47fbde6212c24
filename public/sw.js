/*
 * Serves the offline page when a navigation fails, and shows push notifications. It caches nothing
 * else: prices and orders never come from a cache.
 */
// Named by the hash of its files, so that a changed page installs a new worker.
const CACHE = 'crossbook-offline-844351f9';
const PAGE = '/offline.html';
const FILES = [PAGE, '/offline.css', '/offline.js', '/icon.svg'];
const NOTIFICATION_ICON = '/icons/192';

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((path) => new Request(path, { cache: 'reload' })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const begin = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    // The browser requests a page while the worker starts, not after.
    await self.registration.navigationPreload?.enable();
  };
  event.waitUntil(begin());
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.mode === 'navigate') {
    event.respondWith(navigate(event));
  } else if (origin === self.location.origin && FILES.includes(pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
  }
});

async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

self.addEventListener('push', (event) => {
  const { title, body, path, tag } = readNotification(event.data);
  const options = { body, tag, icon: NOTIFICATION_ICON, data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Browsers require a notification for every push, also for an unreadable one. */
function readNotification(data) {
  const unread = { title: 'Crossbook', body: 'There is news in your account.', path: '/' };
  try {
    const sent = data.json();
    return typeof sent.title === 'string' ? sent : unread;
  } catch {
    return unread;
  }
}

/**
 * The browser dropped the subscription. Only a signed-in page can subscribe again, so the user is
 * asked to turn notifications on again.
 */
self.addEventListener('pushsubscriptionchange', (event) => {
  const options = {
    body: 'Your browser ended the subscription. Turn notifications on again under the bell.',
    tag: 'push:dropped',
    icon: NOTIFICATION_ICON,
    data: { path: '/portfolio' },
  };
  const shown = self.registration.showNotification('Notifications are off', options);
  // It fails if the user has revoked the permission.
  event.waitUntil(shown.catch(() => undefined));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPlace(event.notification.data?.path));
});

/** Focuses a tab that shows the page, else opens a new one; other tabs keep their input. */
async function openPlace(path) {
  const target = urlOf(path);
  const { href } =
    target?.origin === self.location.origin ? target : new URL('/', self.location.origin);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.find(({ url }) => url === href);
  await (open ? open.focus() : self.clients.openWindow(href));
}

function urlOf(path) {
  try {
    return new URL(String(path ?? '/'), self.location.origin);
  } catch {
    return undefined;
  }
}
