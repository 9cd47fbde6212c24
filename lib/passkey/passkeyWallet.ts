import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hashTypedData,
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

const pointOf = (key: PublicKey): { qx: Hex; qy: Hex } => ({
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

/** What the passkey signs for a hash, so that the signature is of this wallet only. */
export function walletMessageHash(chainId: number, wallet: Address, hash: Hex): Hex {
  return hashTypedData({
    domain: { name: 'Crossbook Passkey', version: '1', chainId, verifyingContract: wallet },
    types: { Message: [{ name: 'hash', type: 'bytes32' }] },
    primaryType: 'Message',
    message: { hash },
  });
}

/**
 * The wallet's signature (ERC-1271), with the deployment of the wallet (ERC-6492), so that it is
 * valid whether the wallet is deployed or not.
 */
export function walletSignature(factory: Address, key: PublicKey, assertion: Assertion): Hex {
  const { qx, qy } = pointOf(key);
  const { r, s, challengeIndex, typeIndex, authenticatorData, clientDataJSON } = assertion;
  // The parameters of the struct themselves, without the offset to it.
  const encoded = encodeAbiParameters(
    [
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'uint256' },
      { type: 'bytes' },
      { type: 'string' },
    ],
    [r, s, BigInt(challengeIndex), BigInt(typeIndex), authenticatorData, clientDataJSON],
  );
  return serializeErc6492Signature({
    address: factory,
    data: encodeFunctionData({ abi: factoryAbi, functionName: 'createWallet', args: [qx, qy] }),
    signature: concatHex([qx, qy, encoded]),
  });
}
