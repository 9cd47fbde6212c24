import { recoverPublicKey } from 'ox/P256';
import { concatHex, type Hex, sha256, slice } from 'viem';

/** A passkey's signature (r and s), and the bytes that it signed. */
export type PasskeyProof = { signature: Hex; signed: Hex };

/**
 * The public key of a passkey by two of its signatures: browsers tell the key only when a passkey is
 * created, and each signature leaves two candidates. Undefined if they are not of one key.
 */
export function keyOfBoth(one: PasskeyProof, other: PasskeyProof): Hex | undefined {
  const others = new Set(candidatesOf(other));
  const [key, ...more] = candidatesOf(one).filter((candidate) => others.has(candidate));
  return more.length === 0 ? key : undefined;
}

/** The keys that the signature is valid for. */
function candidatesOf({ signature, signed }: PasskeyProof): Hex[] {
  const r = BigInt(slice(signature, 0, 32));
  const s = BigInt(slice(signature, 32, 64));
  const payload = sha256(signed);
  return [0, 1].map((yParity) => {
    const { x, y } = recoverPublicKey({ payload, signature: { r, s, yParity } });
    return concatHex([toWord(x), toWord(y)]);
  });
}

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
