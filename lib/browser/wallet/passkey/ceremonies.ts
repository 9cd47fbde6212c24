import { concatHex, type Hex, hexToBytes, sha256, stringToHex, toHex } from 'viem';
import { createWebAuthnCredential, toWebAuthnAccount } from 'viem/account-abstraction';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import {
  passkeyWalletAddress,
  walletMessageHash,
  walletSignature,
} from '#lib/passkey/passkeyWallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { toWalletError, WalletError } from '../errors.ts';
import { type Passkey, rememberedPasskey, rememberPasskey } from './rememberedPasskey.ts';

type Service = { api: TradingClient; site: SiteConfig };

/**
 * Has the visitor create a passkey. One that the service could not store before is stored now,
 * instead of another one.
 * @throws {WalletError} and what the service throws
 */
export async function createPasskey({ api, site }: Service): Promise<void> {
  const known = rememberedPasskey();
  const passkey = known && !known.isStored ? known : await makePasskey(site);
  rememberPasskey(passkey);
  const { credentialId, publicKey } = passkey;
  await api.storePasskey({ credentialId, publicKey });
  rememberPasskey({ ...passkey, isStored: true });
}

async function makePasskey(site: SiteConfig): Promise<Passkey> {
  try {
    const { id, publicKey } = await createWebAuthnCredential({
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      rp: { id: location.hostname, name: 'Crossbook' },
      user: {
        // Two passkeys with one id replace each other.
        id: crypto.getRandomValues(new Uint8Array(16)),
        name: `Crossbook, ${new Date().toISOString().slice(0, 10)}`,
        displayName: 'Crossbook',
      },
    });
    const key = publicKey.toLowerCase() as Hex;
    const address = passkeyWalletAddress(factoryOf(site), key);
    return { credentialId: id, publicKey: key, address, isStored: false };
  } catch (error) {
    throw toWalletError(error);
  }
}

/**
 * Has the visitor choose one of the passkeys that this device has, and finds its account.
 * @throws {WalletError} also when the key that the service returns is not the passkey's
 */
export async function findPasskey({ api, site }: Service): Promise<void> {
  const challenge = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const { credentialId, signature, signed } = await askAnyPasskey(challenge);
  const { publicKey } = await api.getPasskey(credentialId);
  if (!(await isSignedBy(publicKey as Hex, signature, signed))) {
    throw new WalletError('failed', 'The account found is not of this passkey. Nothing was sent.');
  }
  const address = passkeyWalletAddress(factoryOf(site), publicKey as Hex);
  rememberPasskey({ credentialId, publicKey: publicKey as Hex, address, isStored: true });
}

/** @throws {WalletError} */
async function askAnyPasskey(challenge: Hex) {
  try {
    // Without a credential id the browser offers every passkey of this site.
    const anyCredential = { id: '', publicKey: '0x' } as const;
    const account = toWebAuthnAccount({ credential: anyCredential, rpId: location.hostname });
    const { raw, signature, webauthn } = await account.sign({ hash: challenge });
    const clientDataHash = sha256(stringToHex(webauthn.clientDataJSON));
    const signed = concatHex([webauthn.authenticatorData, clientDataHash]);
    return { credentialId: raw.id, signature, signed };
  } catch (error) {
    throw toWalletError(error);
  }
}

async function isSignedBy(publicKey: Hex, signature: Hex, signed: Hex): Promise<boolean> {
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
export async function signWithPasskey(
  site: SiteConfig,
  { credentialId, publicKey, address }: Passkey,
  hash: Hex,
): Promise<Hex> {
  const credential = { id: credentialId, publicKey };
  const account = toWebAuthnAccount({ credential, rpId: location.hostname });
  const challenge = walletMessageHash(site.chainId, address, hash);
  const { signature, webauthn } = await account.sign({ hash: challenge });
  const { challengeIndex = 0, typeIndex = 0, authenticatorData, clientDataJSON } = webauthn;
  return walletSignature(factoryOf(site), publicKey, {
    r: BigInt(signature.slice(0, 66)),
    s: BigInt(`0x${signature.slice(66, 130)}`),
    challengeIndex,
    typeIndex,
    authenticatorData,
    clientDataJSON,
  });
}

function factoryOf({ contracts: { passkeyFactory } }: SiteConfig): Hex {
  if (!passkeyFactory) throw new WalletError('not_found', 'Passkeys are not offered here.');
  return passkeyFactory;
}
