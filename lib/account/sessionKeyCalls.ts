import { type Address, encodeFunctionData, parseAbi } from 'viem';
import type { GrantKey } from './sessionKey.ts';

/** A fraction of contracts/abi/tradingAccount.ts, which keeps pages light. */
export const sessionKeyAbi = parseAbi([
  'function addSessionKey(uint64 nonce, uint8 keyKind, bytes32 key)',
  'function removeSessionKey(uint64 nonce, bytes32 key)',
]);

/** A call of the account itself, by its owner. */
type AccountCall = { to: Address; value: bigint; data: `0x${string}` };

/** The account lets another key sign orders under the grant of this nonce. */
export function addSessionKeyCall(account: Address, nonce: bigint, added: GrantKey): AccountCall {
  const args = [nonce, added.keyKind, added.key] as const;
  const data = encodeFunctionData({ abi: sessionKeyAbi, functionName: 'addSessionKey', args });
  return { to: account, value: 0n, data };
}

/** The account takes nothing more that this key signs, as long as the grant. */
export function removeSessionKeyCall(
  account: Address,
  nonce: bigint,
  { key }: Pick<GrantKey, 'key'>,
): AccountCall {
  const args = [nonce, key] as const;
  const data = encodeFunctionData({ abi: sessionKeyAbi, functionName: 'removeSessionKey', args });
  return { to: account, value: 0n, data };
}
