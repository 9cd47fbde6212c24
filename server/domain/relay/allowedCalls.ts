import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import type { BatchMessage } from '#lib/relay/batchToSign.ts';
import type { Contracts } from '#server/chain/client.ts';
import type { FieldProblem } from '#server/platform/errors.ts';

/** What pays another address, with the argument that names it. */
const transfersAbi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function transfer(address to, uint256 value)',
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
export function findForbiddenCalls(
  contracts: Contracts,
  account: Address,
  { calls }: Pick<BatchMessage, 'calls'>,
): FieldProblem[] {
  return calls.flatMap(({ to, value, data }, index): FieldProblem[] => {
    const pointer = `/message/calls/${index}`;
    if (value !== '0') return [{ pointer: `${pointer}/value`, detail: 'must be 0' }];
    if (isAllowed(contracts, account, to as Address, data as Hex)) return [];
    return [{ pointer, detail: 'is not a call that Crossbook sends' }];
  });
}

function isAllowed(contracts: Contracts, account: Address, to: Address, data: Hex): boolean {
  const { usdc, outcomeToken, swapVault, settlement } = contracts;
  if (isAddressEqual(to, account)) return OWN_FUNCTIONS.has(data.slice(0, 10) as Hex);
  if ([swapVault, settlement].some((ours) => isAddressEqual(ours, to))) return true;
  return (
    [usdc, outcomeToken].some((ours) => isAddressEqual(ours, to)) &&
    counterpartyOf(data) !== undefined
  );
}

/** The addresses that a batch pays or lets take tokens. */
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
