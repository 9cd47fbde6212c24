/** The browser's side of notifications: its permission and its subscription (Push API). */

const WORKER = '/sw.js';

/** Whether this browser supports notifications, and if not, why; a denied permission is final. */
export type PushAbility = 'possible' | 'denied' | 'unsupported';

export function pushAbility(): PushAbility {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isSupported) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/** The subscription of this browser; undefined while there is none. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  if (pushAbility() !== 'possible') return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/**
 * Requests permission and subscribes this browser; call it only from a click.
 * @param publicKey identifies the sender to the browser, base64url
 * @returns undefined when the permission was not given
 * @throws {DOMException} when the browser's push service does not respond
 */
export async function subscribeHere(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && isOwnedBy(known, publicKey)) return known;
  // The service's key has changed: a browser accepts only one sender.
  await known?.unsubscribe();
  return await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
}

/** From now on the push service rejects messages for this browser. */
export async function unsubscribeHere(): Promise<void> {
  const subscription = await findSubscription();
  await subscription?.unsubscribe();
}

/** Identifies this browser to the service without revealing its endpoint. */
export async function fingerprintOf({ endpoint }: PushSubscription): Promise<string> {
  const text = new TextEncoder().encode(new URL(endpoint).href);
  const digest = await crypto.subtle.digest('SHA-256', text);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the subscription was made for this sender. */
export function isOwnedBy({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (key === null) return false;
  const wanted = bytesOf(publicKey);
  const bytes = new Uint8Array(key);
  return bytes.length === wanted.length && bytes.every((byte, index) => byte === wanted[index]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
