import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { type DepositMessage, signedTransferArgs } from './depositToSign.ts';

/** Of USDC (EIP-3009): only the payee may call it. */
export const receiveAbi = parseAbi([
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** The account's call that takes a deposit that its owner signed. */
export function receiveCall(usdc: Address, message: DepositMessage, signature: Hex) {
  const data = encodeFunctionData({
    abi: receiveAbi,
    functionName: 'receiveWithAuthorization',
    args: signedTransferArgs(message, signature),
  });
  return { to: usdc, value: 0n, data };
}
