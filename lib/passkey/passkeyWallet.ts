import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hashTypedData,
  keccak256,
  pad,
  parseAbi,
  serializeErc6492Signature,
  zeroHash,
} from 'viem';

/** The point (x, y) of a P-256 public key: 64 bytes. */
export type PublicKey = Hex;

/** One assertion of an authenticator over a challenge. */
export type Assertion = {
  r: bigint;
  s: bigint;
  challengeIndex: number;
  typeIndex: number;
  authenticatorData: Hex;
  clientDataJSON: string;
};

const factoryAbi = parseAbi(['function createWallet(bytes32 qx, bytes32 qy) returns (address)']);

/** The coordinates of a key, 32 bytes each. */
export const pointOf = (key: PublicKey): { qx: Hex; qy: Hex } => ({
  qx: `0x${key.slice(2, 66)}`,
  qy: `0x${key.slice(66)}`,
});

/** The wallet of a key, deployed or not: a clone by `PasskeyWalletFactory` with the key in its code. */
export function passkeyWalletAddress(factory: Address, key: PublicKey): Address {
  // The factory's constructor creates the implementation first.
  const implementation = getContractAddress({ from: factory, nonce: 1n });
  const bytecode = concatHex([
    // The length is that of the clone's code, 45 bytes, and the key.
    '0x61006d3d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    key,
  ]);
  return getContractAddress({ opcode: 'CREATE2', from: factory, salt: zeroHash, bytecode });
}

/** How a wallet names its owners: a passkey by the hash of its key, a wallet by its address. */
export const ownerIdOfKey = (key: PublicKey): Hex => keccak256(key);
export const ownerIdOfAddress = (address: Address): Hex =>
  pad(address, { size: 32 }).toLowerCase() as Hex;

/** The EIP-712 domain of a wallet: what is signed for one wallet is invalid for every other. */
export const passkeyWalletDomain = (chainId: number, wallet: Address) => ({
  name: 'Crossbook Passkey',
  version: '1',
  chainId,
  verifyingContract: wallet,
});

/** What an owner signs for a hash, so that the signature is of this wallet only. */
export function walletMessageHash(chainId: number, wallet: Address, hash: Hex): Hex {
  return hashTypedData({
    domain: passkeyWalletDomain(chainId, wallet),
    types: { Message: [{ name: 'hash', type: 'bytes32' }] },
    primaryType: 'Message',
    message: { hash },
  });
}

/** The contract's struct of an assertion, without the offset to it: it follows the key. */
export const ASSERTION_PARAMETERS = [
  { type: 'uint256', name: 'r' },
  { type: 'uint256', name: 's' },
  { type: 'uint256', name: 'challengeIndex' },
  { type: 'uint256', name: 'typeIndex' },
  { type: 'bytes', name: 'authenticatorData' },
  { type: 'string', name: 'clientDataJSON' },
] as const;

/** A signature by one of a wallet's owners that is a passkey, as the contract reads it. */
export function signatureByKey(key: PublicKey, assertion: Assertion): Hex {
  const { r, s, challengeIndex, typeIndex, authenticatorData, clientDataJSON } = assertion;
  const encoded = encodeAbiParameters(ASSERTION_PARAMETERS, [
    r,
    s,
    BigInt(challengeIndex),
    BigInt(typeIndex),
    authenticatorData,
    clientDataJSON,
  ]);
  return concatHex([key, encoded]);
}

/** A signature by one of a wallet's owners that is a wallet itself. */
export function signatureByAddress(address: Address, signature: Hex): Hex {
  return concatHex([ownerIdOfAddress(address), signature]);
}

/**
 * The wallet's signature (ERC-1271), with the deployment of the wallet (ERC-6492), so that it is
 * valid whether the wallet is deployed or not.
 * @param firstKey the key that the wallet's address commits to
 * @param signature by any of its owners
 */
export function walletSignature(factory: Address, firstKey: PublicKey, signature: Hex): Hex {
  const { qx, qy } = pointOf(firstKey);
  return serializeErc6492Signature({
    address: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createWallet', args: [qx, qy] }),
    signature,
  });
}
