import { BaseError, concatHex, type Hex, hexToBytes, sha256, stringToHex, toHex } from 'viem';
import { createWebAuthnCredential, toWebAuthnAccount } from 'viem/account-abstraction';
import { isApiProblem } from '#lib/api/problem.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import {
  type PublicKey,
  passkeyWalletAddress,
  signatureByKey,
  walletMessageHash,
  walletSignature,
} from '#lib/passkey/passkeyWallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { toWalletError, WalletError } from '../errors.ts';
import type { PasskeyProof } from './recoverKey.ts';
import { type Passkey, rememberedPasskey, rememberPasskey } from './rememberedPasskey.ts';

type Service = { api: TradingClient; site: SiteConfig };

/**
 * Has the visitor create a passkey. One that the service could not store before is stored now,
 * instead of another one.
 * @throws {WalletError} and what the service throws
 */
export async function createPasskey({ api, site }: Service): Promise<void> {
  const known = rememberedPasskey();
  const passkey = known && !known.isStored ? known : await createFirst(site);
  rememberPasskey(passkey);
  const { credentialId, publicKey, name } = passkey;
  await api.storePasskey({ credentialId, publicKey, ...(name !== undefined && { name }) });
  rememberPasskey({ ...passkey, isStored: true });
}

async function createFirst(site: SiteConfig): Promise<Passkey> {
  const made = await makeCredential();
  const firstKey = made.publicKey;
  const address = passkeyWalletAddress(factoryOf(site), firstKey);
  return { ...made, firstKey, address, isStored: false };
}

/**
 * Has the visitor create a passkey that is to own an existing wallet, too. The wallet must still
 * make it an owner. The passkey of this browser stays in use; its manager is not offered, because a
 * second passkey in the same place would be lost with the first.
 * @returns its public key
 * @throws {WalletError} and what the service throws
 */
export async function createFurtherPasskey(
  { api }: Pick<Service, 'api'>,
  firstKey: PublicKey,
): Promise<PublicKey> {
  const present = rememberedPasskey();
  const { credentialId, publicKey, name } = await makeCredential(
    present?.firstKey === firstKey ? present.credentialId : undefined,
  );
  await api.storePasskey({ credentialId, publicKey, firstKey, name });
  return publicKey;
}

async function makeCredential(excludedId?: string) {
  const name = `Crossbook ${new Date().toLocaleString('sv-SE').slice(0, 16)}`;
  try {
    const { id, publicKey } = await createWebAuthnCredential({
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      ...(excludedId !== undefined && { excludeCredentialIds: [excludedId] }),
      rp: { id: location.hostname, name: 'Crossbook' },
      user: {
        // Two passkeys with one id replace each other.
        id: crypto.getRandomValues(new Uint8Array(16)),
        // Its passkey manager lists it by this name, as the list of owners does.
        name,
        displayName: name,
      },
    });
    return { credentialId: id, publicKey: publicKey.toLowerCase() as Hex, name };
  } catch (error) {
    if (isExcluded(error)) {
      throw new WalletError(
        'failed',
        'This passkey manager already has a passkey of your account. Choose another device or ' +
          'manager, such as a security key or a phone.',
        { cause: error },
      );
    }
    throw toWalletError(error, true);
  }
}

/** Whether the browser refused because the passkey manager has an excluded passkey. */
function isExcluded(error: unknown): boolean {
  return error instanceof BaseError
    ? error.walk((cause) => (cause as Error).name === 'InvalidStateError') !== null
    : (error as Error).name === 'InvalidStateError';
}

/**
 * Has the visitor choose one of the passkeys that this device has, and finds its account.
 * @throws {WalletError} also when the key that the service returns is not the passkey's, and when
 *   the passkey is no owner
 */
export async function findPasskey({ api, site }: Service): Promise<void> {
  const { credentialId, ...proof } = await askPasskey();
  const found = await api.getPasskey(credentialId).catch((problem: unknown) => {
    if (!isApiProblem(problem) || problem.code !== 'passkey_not_found') throw problem;
    return recoverPasskey(api, credentialId, proof);
  });
  const [publicKey, firstKey] = [found.publicKey as Hex, found.firstKey as Hex];
  if (!(await isSignedBy(publicKey, proof))) {
    throw new WalletError('failed', 'The account found is not of this passkey. Nothing was sent.');
  }
  if (!found.isOwner) {
    throw new WalletError(
      'failed',
      'This passkey is not an owner of the account: it was removed, or never confirmed. Use ' +
        'another owner of the account.',
    );
  }
  const address = passkeyWalletAddress(factoryOf(site), firstKey);
  rememberPasskey({ credentialId, publicKey, firstKey, address, isStored: true });
}

/**
 * Finds the key of a passkey that the service does not know by a second signature, and stores it. The
 * account is that of the passkey's own wallet: of which others it is an owner the key does not say.
 * @throws {WalletError}
 */
async function recoverPasskey(api: TradingClient, credentialId: string, first: PasskeyProof) {
  const [second, { keyOfBoth }] = await Promise.all([
    askPasskey(credentialId),
    import('./recoverKey.ts'),
  ]);
  const publicKey = keyOfBoth(first, second);
  if (publicKey === undefined) {
    throw new WalletError(
      'failed',
      'These were two different passkeys. Choose the same one twice.',
    );
  }
  return await api.storePasskey({ credentialId, publicKey });
}

/**
 * Has the visitor sign a random challenge with this passkey, or any of them.
 * @throws {WalletError}
 */
async function askPasskey(id = '') {
  try {
    // Without a credential id the browser offers every passkey of this site.
    const credential = { id, publicKey: '0x' } as const;
    const account = toWebAuthnAccount({ credential, rpId: location.hostname });
    const challenge = toHex(crypto.getRandomValues(new Uint8Array(32)));
    const { raw, signature, webauthn } = await account.sign({ hash: challenge });
    const clientDataHash = sha256(stringToHex(webauthn.clientDataJSON));
    const signed = concatHex([webauthn.authenticatorData, clientDataHash]);
    return { credentialId: raw.id, signature, signed };
  } catch (error) {
    throw toWalletError(error, true);
  }
}

async function isSignedBy(publicKey: Hex, { signature, signed }: PasskeyProof): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const uncompressed = bytesOf(concatHex(['0x04', publicKey]));
  const key = await crypto.subtle.importKey('raw', uncompressed, algorithm, false, ['verify']);
  return await crypto.subtle.verify(algorithm, key, bytesOf(signature), bytesOf(signed));
}

const bytesOf = (hex: Hex) => Uint8Array.from(hexToBytes(hex));

/**
 * The wallet's signature of a hash. The passkey's prompt shows nothing of it.
 * @throws what the browser throws when the prompt is closed
 */
export async function signWithPasskey(site: SiteConfig, passkey: Passkey, hash: Hex): Promise<Hex> {
  return await signDigest(site, passkey, walletMessageHash(site.chainId, passkey.address, hash));
}

/**
 * The wallet's signature of a digest in its own domain, such as a batch of its own calls.
 * @throws what the browser throws when the prompt is closed
 */
export async function signDigest(
  site: SiteConfig,
  { credentialId, publicKey, firstKey }: Passkey,
  digest: Hex,
): Promise<Hex> {
  const credential = { id: credentialId, publicKey };
  const account = toWebAuthnAccount({ credential, rpId: location.hostname });
  const { signature, webauthn } = await account.sign({ hash: digest });
  const { challengeIndex = 0, typeIndex = 0, authenticatorData, clientDataJSON } = webauthn;
  const assertion = {
    r: BigInt(signature.slice(0, 66)),
    s: BigInt(`0x${signature.slice(66, 130)}`),
    challengeIndex,
    typeIndex,
    authenticatorData,
    clientDataJSON,
  };
  return walletSignature(factoryOf(site), firstKey, signatureByKey(publicKey, assertion));
}

/** @throws {WalletError} where no passkey owns an account */
export function factoryOf({ contracts: { passkeyFactory } }: SiteConfig): Hex {
  if (!passkeyFactory) throw new WalletError('not_found', 'Passkeys are not offered here.');
  return passkeyFactory;
}
