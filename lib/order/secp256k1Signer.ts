import { type Hex, serializeSignature } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import type { OrderSigner } from './signOrder.ts';

/** The session key of a program. */
export function secp256k1Signer(privateKey: Hex): OrderSigner {
  return {
    sessionKey: privateKeyToAccount(privateKey).address,
    signDigest: async (hash) => serializeSignature(await sign({ hash, privateKey })),
  };
}
