import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { type PublicKey, pointOf } from './passkeyWallet.ts';

/** A fraction of contracts/abi/passkeyWallet.ts, which keeps pages light. */
const ownersAbi = parseAbi([
  'function addKey(bytes32 qx, bytes32 qy)',
  'function addAddress(address owner)',
  'function removeOwner(bytes32 id)',
]);

const tokensAbi = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
]);

/** One call that a passkey's wallet makes. */
export type WalletCall = { to: Address; data: Hex };

/** The wallet makes a passkey its owner. */
export function addKeyCall(wallet: Address, key: PublicKey): WalletCall {
  const { qx, qy } = pointOf(key);
  const data = encodeFunctionData({ abi: ownersAbi, functionName: 'addKey', args: [qx, qy] });
  return { to: wallet, data };
}

/** The wallet makes another wallet its owner. */
export function addAddressCall(wallet: Address, owner: Address): WalletCall {
  const data = encodeFunctionData({ abi: ownersAbi, functionName: 'addAddress', args: [owner] });
  return { to: wallet, data };
}

/** The wallet ends the rights of an owner, by its id. */
export function removeOwnerCall(wallet: Address, id: Hex): WalletCall {
  const data = encodeFunctionData({ abi: ownersAbi, functionName: 'removeOwner', args: [id] });
  return { to: wallet, data };
}

/** The wallet pays USDC that it holds itself. */
export function payUsdcCall(usdc: Address, to: Address, usdcMicros: bigint): WalletCall {
  const args = [to, usdcMicros] as const;
  return { to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) };
}

/** The wallet sends outcome tokens that it holds itself. */
export function sendTokensCall(
  { outcomeToken, wallet }: { outcomeToken: Address; wallet: Address },
  to: Address,
  { tokenId, contractMicros }: { tokenId: bigint; contractMicros: bigint },
): WalletCall {
  const args = [wallet, to, tokenId, contractMicros, '0x'] as const;
  const data = encodeFunctionData({ abi: tokensAbi, functionName: 'safeTransferFrom', args });
  return { to: outcomeToken, data };
}
