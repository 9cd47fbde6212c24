import { type Hex, keccak256 } from 'viem';
import { createPreviewClient } from '#lib/api/previewClient.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { Account, AccountGrant, SessionKey } from '#lib/api/schemas/account.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequestInput, OrderRecord } from '#lib/api/schemas/order.ts';
import { createSessionKeyClient } from '#lib/api/sessionKeyClient.ts';
import type { ClientOptions, TradingClient } from '#lib/api/tradingClient.ts';
import { amendSigned } from '#lib/order/amendSigned.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { type OrderSigner, placeOrder } from '#lib/order/signOrder.ts';

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
async function readDeviceKey(owner: string): Promise<OrderSigner | undefined> {
  const pair: unknown = await inStore('readonly', (store) => store.get(owner.toLowerCase())).catch(
    () => undefined,
  );
  return pair === undefined ? undefined : await p256Signer(pair as CryptoKeyPair);
}

/** The same, made when there is none. @throws when the browser keeps no keys */
export async function ensureDeviceKey(owner: string): Promise<OrderSigner> {
  return (await readDeviceKey(owner)) ?? (await replaceDeviceKey(owner));
}

/** A new key in the place of what this device has. @throws when the browser keeps no keys */
export async function replaceDeviceKey(owner: string): Promise<OrderSigner> {
  const pair = await generateP256();
  try {
    await inStore('readwrite', (store) => store.put(pair, owner.toLowerCase()));
  } catch (cause) {
    const text =
      'This browser cannot keep a key to sign your orders. Leave private browsing, turn off “Only place orders that my devices sign” under Account, or sign each order yourself. Nothing was signed.';
    throw new Error(text, { cause });
  }
  // As stored: another tab may have been first.
  return (await readDeviceKey(owner)) ?? (await p256Signer(pair));
}

/** This device's key as a permission names it; null without one. */
export async function readOwnKey(owner: string): Promise<Hex | null> {
  const signer = await readDeviceKey(owner);
  return signer ? grantKeyOf(signer) : null;
}

/** Whether a key of this device signs under a permission of the owner. */
export async function holdsKey(owner: string, grant: AccountGrant): Promise<boolean> {
  const own = await readOwnKey(owner);
  return keysOf(grant).some(({ key }) => key === own);
}

/** The keys that sign under a permission; a removed one is not among them. */
function keysOf({ sessionKey, sessionKeys }: AccountGrant): SessionKey[] {
  return sessionKeys ?? (sessionKey ? [sessionKey] : []);
}

/**
 * Places an order that this device's key signs, if the account's permission names a key.
 * @throws when the browser has lost the key, before anything is sent
 */
export async function placeFromDevice(
  { api, client }: { api: TradingClient; client: ClientOptions },
  account: Pick<Account, 'owner' | 'grant'> | undefined,
  request: AnyOrderRequestInput,
) {
  if (!account?.grant?.sessionKey) return await api.createOrder(request);
  const signer = await readDeviceKey(account.owner);
  if (!signer) {
    throw new Error(
      'This browser no longer has the key that signs your orders. Reload the page and add this device again. No order was placed.',
    );
  }
  try {
    return await placeOrder({ ...api, ...createPreviewClient(client) }, signer, request);
  } catch (problem) {
    if (!isApiProblem(problem) || problem.code !== 'session_key_removed') throw problem;
    throw new Error(
      'This device was removed from your trading permission. No order was placed. Reload the page to add it again.',
      { cause: problem },
    );
  }
}

/**
 * Amends an order. Where another order takes its place, this device's key signs that one, if the
 * account's permission names a key.
 */
export async function amendFromDevice(
  { api, client }: { api: TradingClient; client: ClientOptions },
  account: Pick<Account, 'owner' | 'grant'> | undefined,
  order: OrderRecord,
  change: AmendOrderRequest,
) {
  const signer = account?.grant?.sessionKey ? await readDeviceKey(account.owner) : undefined;
  return await amendSigned({ ...api, ...createSessionKeyClient(client) }, signer, order, change);
}

/** The key as a permission names it. */
export function grantKeyOf({ sessionKey }: OrderSigner): Hex {
  return keccak256(sessionKey);
}
