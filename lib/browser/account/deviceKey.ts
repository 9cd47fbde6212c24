import { type Hex, keccak256 } from 'viem';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import type { OrderSigner } from '#lib/order/signOrder.ts';

/**
 * This device's session keys, one for each owner. The browser keeps them in IndexedDB and lets no
 * script read them; when it evicts them, the owner permits a new one.
 */
const DATABASE = 'crossbook';
const STORE = 'session-keys';

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return resultOf(request);
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser storage failed.'));
  });
}

async function inStore<T>(
  mode: IDBTransactionMode,
  step: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await resultOf(step(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/** The key that this device has for an owner; undefined without one, or without storage. */
export async function readDeviceKey(owner: string): Promise<OrderSigner | undefined> {
  const pair: unknown = await inStore('readonly', (store) => store.get(owner.toLowerCase())).catch(
    () => undefined,
  );
  return pair === undefined ? undefined : await p256Signer(pair as CryptoKeyPair);
}

/** The same, made when there is none. @throws when the browser keeps no keys */
export async function ensureDeviceKey(owner: string): Promise<OrderSigner> {
  const known = await readDeviceKey(owner);
  if (known) return known;
  const pair = await generateP256();
  try {
    await inStore('readwrite', (store) => store.put(pair, owner.toLowerCase()));
  } catch (cause) {
    const text =
      'This browser cannot keep a key to sign your orders. Leave private browsing, or sign each order with your wallet. Nothing was signed.';
    throw new Error(text, { cause });
  }
  // As stored: another tab may have been first.
  return (await readDeviceKey(owner)) ?? (await p256Signer(pair));
}

/** The key as a permission names it. */
export function grantKeyOf({ sessionKey }: OrderSigner): Hex {
  return keccak256(sessionKey);
}
