import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Account } from './ledger.ts';
import { Refusal } from './order.ts';
import type { Exchange } from './state.ts';

/** The scopes of a key; `write` covers trading and moving cash. */
export type Scope = 'read' | 'write';
export const SCOPES: readonly Scope[] = ['read', 'write'];

/** A key of an account. An account can have several, each valid until it is deleted. */
export type ApiKey = {
  keyId: string;
  account: Account;
  name: string;
  publicKeyPem: string;
  scopes: readonly Scope[];
};

type KeyRow = {
  key_id: string;
  account_id: string;
  name: string;
  public_key_pem: string;
  scopes: string;
  is_deleted: bigint;
};

/** Loads user-created keys; an account of an earlier version has its original one. */
export function loadApiKeys(exchange: Exchange): void {
  for (const row of exchange.store.all<KeyRow>('select * from api_keys')) {
    const account = exchange.accounts.get(row.account_id);
    if (!account || row.is_deleted !== 0n) continue;
    exchange.apiKeys.set(row.key_id, {
      keyId: row.key_id,
      account,
      name: row.name,
      publicKeyPem: row.public_key_pem,
      scopes: SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
    });
  }
}

/** Whether the key existed and was deleted. */
export function isDeletedKey(exchange: Exchange, keyId: string): boolean {
  return (
    exchange.store.all('select 1 from api_keys where key_id = ? and is_deleted = 1', keyId).length >
    0
  );
}

export function saveApiKey(exchange: Exchange, key: ApiKey): void {
  exchange.apiKeys.set(key.keyId, key);
  exchange.store.run(
    `insert into api_keys (key_id, account_id, name, public_key_pem, scopes, is_deleted)
     values (?, ?, ?, ?, ?, 0)
     on conflict (key_id) do update set public_key_pem = excluded.public_key_pem`,
    key.keyId,
    key.account.id,
    key.name,
    key.publicKeyPem,
    key.scopes.join(' '),
  );
}

type NewKey = { name: string; scopes: readonly Scope[] };

/** Registers a public key for an account. @throws {Refusal} when it cannot sign requests */
export function addApiKey(
  exchange: Exchange,
  account: Account,
  wanted: NewKey & { publicKeyPem: string },
): ApiKey {
  if (!isUsable(wanted.publicKeyPem)) {
    throw new Refusal(400, 'invalid_parameters', 'public_key must be an RSA or Ed25519 key in PEM');
  }
  const key = { ...wanted, keyId: randomUUID(), account };
  saveApiKey(exchange, key);
  return key;
}

/** Creates a key pair; the private key is returned once and not stored. */
export function generateApiKey(
  exchange: Exchange,
  account: Account,
  wanted: NewKey & { type: 'rsa' | 'ed25519' },
): { key: ApiKey; privateKeyPem: string } {
  const { type, ...rest } = wanted;
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ed25519');
  const publicKeyPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key: addApiKey(exchange, account, { ...rest, publicKeyPem }), privateKeyPem };
}

/** The keys of an account in order of creation. */
export function listApiKeys(exchange: Exchange, account: Account): ApiKey[] {
  return [...exchange.apiKeys.values()].filter((key) => key.account === account);
}

/** Invalidates a key. @throws {Refusal} when the account has no such key */
export function deleteApiKey(exchange: Exchange, account: Account, keyId: string): void {
  if (exchange.apiKeys.get(keyId)?.account !== account) {
    throw new Refusal(404, 'not_found', 'there is no such key');
  }
  exchange.apiKeys.delete(keyId);
  exchange.store.run('update api_keys set is_deleted = 1 where key_id = ?', keyId);
}

function isUsable(pem: string): boolean {
  try {
    return ['rsa', 'ed25519'].includes(createPublicKey(pem).asymmetricKeyType ?? '');
  } catch {
    return false;
  }
}
