/** The browser's side of notifications: its permission, and how it is reached (Push API). */

const WORKER = '/sw.js';

/** Why nobody can be notified here, or that they can; a permission that was denied stays so. */
export type PushAbility = 'possible' | 'denied' | 'unsupported';

export function pushAbility(): PushAbility {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isSupported) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'possible';
}

/** How this browser is reached; undefined while it is not. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  if (pushAbility() !== 'possible') return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/**
 * Asks for permission and has the browser be reached; only from a click.
 * @param publicKey by which the browser knows the sender, base64url
 * @returns undefined when the permission was not given
 * @throws {DOMException} when the browser's push service does not answer
 */
export async function subscribeHere(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && isOwnedBy(known, publicKey)) return known;
  // The service has another key than it had: the browser takes no second sender.
  await known?.unsubscribe();
  return await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
}

/** From now on the push service refuses whatever comes for this browser. */
export async function unsubscribeHere(): Promise<void> {
  const subscription = await findSubscription();
  await subscription?.unsubscribe();
}

/** By which the service tells this browser from others, without saying how it is reached. */
export async function fingerprintOf({ endpoint }: PushSubscription): Promise<string> {
  const text = new TextEncoder().encode(new URL(endpoint).href);
  const digest = await crypto.subtle.digest('SHA-256', text);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether the sender it was made for is this one. */
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
