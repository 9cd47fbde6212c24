import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  type Address,
  bytesToHex,
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  type LocalAccount,
  type TypedDataDefinition,
} from 'viem';
import { toAccount } from 'viem/accounts';
import { base } from '#lib/chains.ts';
import {
  type Assertion,
  type PublicKey,
  passkeyWalletAddress,
  signatureByKey,
  walletMessageHash,
  walletSignature,
} from '#lib/passkey/passkeyWallet.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

/** The order of the curve P-256; of two valid s the lower one counts. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const AUTHENTICATOR_DATA = Buffer.concat([
  createHash('sha256').update('localhost').digest(),
  Buffer.from('1d00000000', 'hex'),
]);

export type TestPasskey = {
  credentialId: string;
  publicKey: PublicKey;
  /** The wallet whose owner it is. */
  wallet: LocalAccount;
  /** The wallet's signature of a digest, unlike `wallet`'s without binding it to the wallet. */
  signDigest: (digest: Hex) => Hex;
};

/** The site of a sandbox, with the factory of its passkeys' wallets. */
export function passkeySiteOf({
  contracts,
  baseUrl,
}: Pick<SandboxDescription, 'contracts' | 'baseUrl'>): { factory: Address; origin: string } {
  const { passkeyFactory: factory } = contracts;
  if (!factory) throw new Error('the sandbox has no passkey factory');
  return { factory, origin: new URL(baseUrl).origin };
}

/**
 * A passkey in software, as an authenticator would keep it.
 * @param site the origin that it signs on; read at each signature
 * @param firstKey of the wallet that it owns, unless it is the wallet's first
 */
export function createTestPasskey(
  site: { factory: Address; origin: string },
  firstKey?: PublicKey,
): TestPasskey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const publicKey = bytesToHex(Buffer.concat([x, y].map((part) => Buffer.from(part, 'base64url'))));
  const prove = (challenge: Hex): Assertion => {
    const clientDataJSON = JSON.stringify({
      type: 'webauthn.get',
      challenge: Buffer.from(hexToBytes(challenge)).toString('base64url'),
      origin: site.origin,
      crossOrigin: false,
    });
    const signed = Buffer.concat([
      AUTHENTICATOR_DATA,
      createHash('sha256').update(clientDataJSON).digest(),
    ]);
    const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const hex = sign('sha256', signed, key).toString('hex');
    const s = BigInt(`0x${hex.slice(64)}`);
    return {
      r: BigInt(`0x${hex.slice(0, 64)}`),
      s: s > ORDER / 2n ? ORDER - s : s,
      challengeIndex: clientDataJSON.indexOf('"challenge"'),
      typeIndex: clientDataJSON.indexOf('"type"'),
      authenticatorData: bytesToHex(AUTHENTICATOR_DATA),
      clientDataJSON,
    };
  };
  const { factory } = site;
  const address = passkeyWalletAddress(factory, firstKey ?? publicKey);
  const signDigest = (digest: Hex) =>
    walletSignature(factory, firstKey ?? publicKey, signatureByKey(publicKey, prove(digest)));
  const signHash = (hash: Hex) => signDigest(walletMessageHash(base.id, address, hash));
  const wallet = toAccount({
    address,
    signMessage: async ({ message }) => signHash(hashMessage(message)),
    signTypedData: async (typedData) => signHash(hashTypedData(typedData as TypedDataDefinition)),
    signTransaction: () => Promise.reject(new Error('a passkey sends no transactions')),
  });
  return { credentialId: randomBytes(16).toString('base64url'), publicKey, wallet, signDigest };
}
