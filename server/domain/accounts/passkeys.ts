import { desc, eq, or } from 'drizzle-orm';
import { type Address, type Hex, hexToBytes } from 'viem';
import type { Passkey, PasskeyRequest } from '#lib/api/schemas/passkey.ts';
import { ownerIdOfKey, passkeyWalletAddress } from '#lib/passkey/passkeyWallet.ts';
import type { Chain } from '../../chain/client.ts';
import { isKeyOwner } from '../../chain/passkeyWalletReads.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { passkeys } from '../../platform/database/schema/passkeys.ts';
import { ServiceError } from '../../platform/errors.ts';
import { fromChain } from './accounts.ts';

export type PasskeyDeps = { database: Database; chain: Chain; config: Pick<Config, 'chain'> };

/**
 * Stores the public key of a new passkey, so that the browser of another device finds its account.
 * A credential keeps its first key; that a key is the credential's is for the browser to check. The
 * wallet it names need not have it as an owner yet: the chain says whether it does.
 * @throws {ServiceError} invalid_request, passkey_taken, chain_unavailable
 */
export async function storePasskey(deps: PasskeyDeps, request: PasskeyRequest): Promise<Passkey> {
  const { credentialId, publicKey, name } = request;
  const firstKey = request.firstKey === publicKey ? undefined : request.firstKey;
  await requireOnCurve({ publicKey, firstKey });
  const ownerId = ownerIdOfKey(publicKey as Hex);
  await deps.database.orm
    .insert(passkeys)
    .values({ credentialId, publicKey, firstKey, ownerId, name })
    .onConflictDoNothing();
  const stored = await getPasskey(deps, credentialId);
  if (stored.publicKey === publicKey && stored.firstKey === (firstKey ?? publicKey)) return stored;
  throw new ServiceError(
    'passkey_taken',
    'Another public key or wallet is stored for this credential. Nothing was changed.',
  );
}

/** @throws {ServiceError} passkey_not_found, chain_unavailable */
export async function getPasskey(deps: PasskeyDeps, credentialId: string): Promise<Passkey> {
  const [found] = await deps.database.orm
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, credentialId))
    .limit(1);
  if (!found) {
    throw new ServiceError('passkey_not_found', 'No account of Crossbook has this passkey.');
  }
  const publicKey = found.publicKey as Hex;
  const firstKey = (found.firstKey ?? found.publicKey) as Hex;
  const address = passkeyWalletAddress(factoryOf(deps), firstKey);
  const isOwner = await fromChain(() => isKeyOwner(deps.chain, address, { publicKey, firstKey }));
  return { credentialId, publicKey, firstKey, address, isOwner };
}

/** What is stored of the passkeys among a wallet's owners, by the owner's id. */
export async function findPasskeysOf(
  { database }: Pick<PasskeyDeps, 'database'>,
  firstKey: Hex,
  ownerIds: readonly Hex[],
): Promise<Map<Hex, { publicKey: string; name: string | null; createdAt: Date }>> {
  const rows = await database.orm
    .select()
    .from(passkeys)
    .where(or(isOneOf(passkeys.ownerId, ownerIds), eq(passkeys.publicKey, firstKey)))
    .orderBy(desc(passkeys.createdAt));
  // Anyone may store a public key again under another credential: the oldest row counts.
  return new Map(rows.map((row) => [ownerIdOfKey(row.publicKey as Hex), row]));
}

/** The routes exist only where there is a factory. */
function factoryOf({ config: { chain } }: PasskeyDeps): Address {
  const factory = chain.contracts.passkeyFactory;
  if (!factory) throw new Error('there is no factory of passkey wallets');
  return factory;
}

async function requireOnCurve(keys: Record<string, string | undefined>): Promise<void> {
  for (const [field, key] of Object.entries(keys)) {
    if (key === undefined || (await isOnCurve(key as Hex))) continue;
    throw new ServiceError('invalid_request', 'One field must be changed.', {
      errors: [{ pointer: `/${field}`, detail: 'is not a point of the curve P-256' }],
    });
  }
}

async function isOnCurve(publicKey: Hex): Promise<boolean> {
  const uncompressed = Uint8Array.from([4, ...hexToBytes(publicKey)]);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return await crypto.subtle.importKey('raw', uncompressed, algorithm, false, ['verify']).then(
    () => true,
    () => false,
  );
}
