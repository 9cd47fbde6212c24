import { eq } from 'drizzle-orm';
import { type Address, type Hex, hexToBytes } from 'viem';
import type { Passkey, PasskeyRequest } from '#lib/api/schemas/passkey.ts';
import { passkeyWalletAddress } from '#lib/passkey/passkeyWallet.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { passkeys } from '../../platform/database/schema/passkeys.ts';
import { ServiceError } from '../../platform/errors.ts';

export type PasskeyDeps = { database: Database; config: Pick<Config, 'chain'> };

/**
 * Stores the public key of a new passkey, so that the browser of another device finds its account.
 * A credential keeps its first key; that a key is the credential's is for the browser to check.
 * @throws {ServiceError} invalid_request, passkey_taken
 */
export async function storePasskey(deps: PasskeyDeps, request: PasskeyRequest): Promise<Passkey> {
  const { credentialId, publicKey } = request;
  if (!(await isOnCurve(publicKey as Hex))) {
    throw new ServiceError('invalid_request', 'One field must be changed.', {
      errors: [{ pointer: '/publicKey', detail: 'is not a point of the curve P-256' }],
    });
  }
  await deps.database.orm
    .insert(passkeys)
    .values({ credentialId, publicKey })
    .onConflictDoNothing();
  const stored = await getPasskey(deps, credentialId);
  if (stored.publicKey === publicKey) return stored;
  throw new ServiceError(
    'passkey_taken',
    'Another public key is stored for this credential. Nothing was changed.',
  );
}

/** @throws {ServiceError} passkey_not_found */
export async function getPasskey(deps: PasskeyDeps, credentialId: string): Promise<Passkey> {
  const [found] = await deps.database.orm
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, credentialId))
    .limit(1);
  if (!found) {
    throw new ServiceError('passkey_not_found', 'No account of Crossbook has this passkey.');
  }
  const address = passkeyWalletAddress(factoryOf(deps), found.publicKey as Hex);
  return { credentialId, publicKey: found.publicKey, address };
}

/** The routes exist only where there is a factory. */
function factoryOf({ config: { chain } }: PasskeyDeps): Address {
  const factory = chain.contracts.passkeyFactory;
  if (!factory) throw new Error('there is no factory of passkey wallets');
  return factory;
}

async function isOnCurve(publicKey: Hex): Promise<boolean> {
  const uncompressed = Uint8Array.from([4, ...hexToBytes(publicKey)]);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return await crypto.subtle.importKey('raw', uncompressed, algorithm, false, ['verify']).then(
    () => true,
    () => false,
  );
}
