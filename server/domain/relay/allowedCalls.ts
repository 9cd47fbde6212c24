import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import type { BatchMessage } from '#lib/relay/batchToSign.ts';
import { receiveAbi } from '#lib/relay/receiveCall.ts';
import type { Contracts } from '#server/chain/client.ts';
import type { RelayCall } from '#server/chain/operations/relayCall.ts';
import type { FieldProblem } from '#server/platform/errors.ts';

/** What pays another address or gives it rights, with the argument that names it. */
const transfersAbi = parseAbi([
  'function addAddress(address owner)',
  'function approve(address spender, uint256 value)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function transfer(address to, uint256 value)',
]);

export type RelayedBatch = Pick<RelayCall, 'owner' | 'account'> & {
  type: 'batch' | 'walletBatch';
  message: Pick<BatchMessage, 'calls'>;
};

/** Of a passkey's wallet itself. */
const WALLET_FUNCTIONS = new Set([
  toFunctionSelector('addKey(bytes32,bytes32)'),
  toFunctionSelector('addAddress(address)'),
  toFunctionSelector('removeOwner(bytes32)'),
]);

/** Of the account itself; `execute` would reach any contract. */
const OWN_FUNCTIONS = new Set([
  toFunctionSelector('revoke()'),
  toFunctionSelector('addSessionKey(uint64,uint8,bytes32)'),
  toFunctionSelector('removeSessionKey(uint64,bytes32)'),
  toFunctionSelector(
    'setGrant((address,uint48,bool,uint64,uint64,uint64,uint64,uint8,bytes32),bytes)',
  ),
]);

/**
 * What the service does not send: calls to other contracts than ours, and calls with ether. The
 * owner's own wallet can send them.
 */
export function findForbiddenCalls(contracts: Contracts, relay: RelayedBatch): FieldProblem[] {
  return relay.message.calls.flatMap(({ to, value, data }, index): FieldProblem[] => {
    const pointer = `/message/calls/${index}`;
    if (value !== '0') return [{ pointer: `${pointer}/value`, detail: 'must be 0' }];
    const isAllowed = relay.type === 'batch' ? isAccountCall : isWalletCall;
    if (isAllowed(contracts, relay, to as Address, data as Hex)) return [];
    return [{ pointer, detail: 'is not a call that Crossbook sends' }];
  });
}

function isAccountCall(
  contracts: Contracts,
  { account }: RelayedBatch,
  to: Address,
  data: Hex,
): boolean {
  const { usdc, swapVault, settlement } = contracts;
  if (isAddressEqual(to, usdc) && receivedBy(account, data) !== undefined) return true;
  if (isAddressEqual(to, account)) return OWN_FUNCTIONS.has(data.slice(0, 10) as Hex);
  if ([swapVault, settlement].some((ours) => isAddressEqual(ours, to))) return true;
  return isTransfer(contracts, to, data);
}

function isWalletCall(
  contracts: Contracts,
  { owner }: RelayedBatch,
  to: Address,
  data: Hex,
): boolean {
  if (isAddressEqual(to, owner)) return WALLET_FUNCTIONS.has(data.slice(0, 10) as Hex);
  return isTransfer(contracts, to, data);
}

function isTransfer({ usdc, outcomeToken }: Contracts, to: Address, data: Hex): boolean {
  const isToken = [usdc, outcomeToken].some((ours) => isAddressEqual(ours, to));
  return isToken && counterpartyOf(data) !== undefined;
}

/** The USDC that a batch takes from its owner's wallet, as the account's first call. */
export function depositInBatch(
  { usdc }: Pick<Contracts, 'usdc'>,
  account: Address,
  { calls: [first] }: Pick<BatchMessage, 'calls'>,
): bigint {
  if (!first || !isAddressEqual(first.to as Address, usdc)) return 0n;
  return receivedBy(account, first.data as Hex) ?? 0n;
}

/** What the account takes by a signed deposit to itself; undefined for any other call. */
function receivedBy(account: Address, data: Hex): bigint | undefined {
  try {
    const { args } = decodeFunctionData({ abi: receiveAbi, data });
    return isAddressEqual(args[1], account) ? args[2] : undefined;
  } catch {
    return undefined;
  }
}

/** The addresses that a batch pays, lets take tokens, or makes an owner. */
export function counterpartiesOf({ calls }: Pick<BatchMessage, 'calls'>): Address[] {
  return calls.flatMap(({ data }) => counterpartyOf(data as Hex) ?? []);
}

function counterpartyOf(data: Hex): Address | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: transfersAbi, data });
    return functionName === 'safeTransferFrom' ? args[1] : args[0];
  } catch {
    return undefined;
  }
}
