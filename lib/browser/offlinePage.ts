/** Has the browser keep the page for when there is no network. */
export function registerServiceWorker(): void {
  if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return;
  // Where the browser refuses it, the page works without.
  navigator.serviceWorker.register('/sw.js').catch(() => undefined);
}
