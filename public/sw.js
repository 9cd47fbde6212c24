/*
 * Answers for the network while there is none: a page that says so, in place of the browser's own.
 * Everything else goes past it; prices and orders are never shown from a cache. It also shows the
 * notifications that somebody asked for.
 */
// Named by what it keeps, so that a changed page makes a new worker and replaces the old one.
const CACHE = 'crossbook-offline-99e76501';
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
    // Pages are asked for while the worker wakes up, not after.
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

/** A browser insists on showing something, also of what cannot be read. */
function readNotification(data) {
  const unread = { title: 'Crossbook', body: 'Something happened in your account.', path: '/' };
  try {
    const told = data.json();
    return typeof told.title === 'string' ? told : unread;
  } catch {
    return unread;
  }
}

/**
 * The browser gave up how it was reached. Who it is reached for only a page that is signed in can
 * tell the service; that somebody has to switch it on again is better told than found out.
 */
self.addEventListener('pushsubscriptionchange', (event) => {
  const options = {
    body: 'Your browser has dropped them. Open Crossbook and switch them on again under the bell.',
    tag: 'push:dropped',
    icon: NOTIFICATION_ICON,
    data: { path: '/portfolio' },
  };
  const told = self.registration.showNotification('Notifications have stopped here', options);
  // Where the permission was taken back nobody wants to be told.
  event.waitUntil(told.catch(() => undefined));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPlace(event.notification.data?.path));
});

/** A tab that is there already comes to the front; others keep what was begun in them. */
async function openPlace(path) {
  const asked = urlOf(path);
  const { href } =
    asked?.origin === self.location.origin ? asked : new URL('/', self.location.origin);
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
