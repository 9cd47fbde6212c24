/** An ECDSA signature over any curve of 32 bytes. */
export type EcdsaSignature = { r: bigint; s: bigint };

const INTEGER_TAG = 0x02;
const SEQUENCE_TAG = 0x30;
const PART_BYTES = 32;

/** SEC 2, 2.4.1. */
const SECP256K1_ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;

/**
 * Reads `SEQUENCE { INTEGER r, INTEGER s }` (RFC 3279, 2.2.3), the form of key services, or the
 * plain 64 bytes r ‖ s. @throws {RangeError} for anything else
 */
export function readEcdsaSignature(bytes: Uint8Array): EcdsaSignature {
  // DER first: one in some thousands is 64 bytes long too.
  const der = readDer(bytes);
  if (der) return der;
  if (bytes.length === 2 * PART_BYTES) {
    return {
      r: toInteger(bytes.subarray(0, PART_BYTES)),
      s: toInteger(bytes.subarray(PART_BYTES)),
    };
  }
  throw new RangeError('this is not an ECDSA signature');
}

function readDer(bytes: Uint8Array): EcdsaSignature | undefined {
  if (bytes[0] !== SEQUENCE_TAG || bytes[1] !== bytes.length - 2) return undefined;
  const first = readInteger(bytes, 2);
  const second = first && readInteger(bytes, first.end);
  if (!second || second.end !== bytes.length) return undefined;
  return { r: first.value, s: second.value };
}

function readInteger(bytes: Uint8Array, start: number): { value: bigint; end: number } | undefined {
  const length = bytes[start + 1];
  if (bytes[start] !== INTEGER_TAG || !length || length > PART_BYTES + 1) return undefined;
  const end = start + 2 + length;
  const content = bytes.subarray(start + 2, end);
  const [head = 0] = content;
  // A set top bit means a negative number; a zero byte in front of it is allowed only then.
  if (content.length !== length || head >= 0x80) return undefined;
  if (length === PART_BYTES + 1 && head !== 0) return undefined;
  return { value: toInteger(content), end };
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** The one of two equivalent signatures that Ethereum accepts (EIP-2). */
export function withLowS({ r, s }: EcdsaSignature): EcdsaSignature {
  return { r, s: s > SECP256K1_ORDER / 2n ? SECP256K1_ORDER - s : s };
}

/** r ‖ s, each in 32 bytes: the form of JOSE (RFC 7518, 3.4). */
export function toPlainBytes({ r, s }: EcdsaSignature): Uint8Array {
  const hex = (part: bigint) => part.toString(16).padStart(2 * PART_BYTES, '0');
  return Uint8Array.from(Buffer.from(hex(r) + hex(s), 'hex'));
}
