import { type Address, encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import type { DepositMessage } from './depositToSign.ts';

/** Of USDC (EIP-3009): only the payee may call it. */
export const receiveAbi = parseAbi([
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** The account's call that takes a deposit that its owner signed. */
export function receiveCall(usdc: Address, message: DepositMessage, signature: Hex) {
  const { from, to, value, validAfter, validBefore, nonce } = message;
  const { r, s, yParity } = parseSignature(signature);
  const data = encodeFunctionData({
    abi: receiveAbi,
    functionName: 'receiveWithAuthorization',
    args: [
      from as Address,
      to as Address,
      BigInt(value),
      BigInt(validAfter),
      BigInt(validBefore),
      nonce as Hex,
      yParity + 27,
      r,
      s,
    ],
  });
  return { to: usdc, value: 0n, data };
}
