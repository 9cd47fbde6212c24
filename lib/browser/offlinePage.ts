/** Caches the page in the browser for use without a network. */
export function registerServiceWorker(): void {
  if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return;
  // Without a worker the page still works online.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
