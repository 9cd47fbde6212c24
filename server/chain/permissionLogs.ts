import {
  type Address,
  getAbiItem,
  getAddress,
  type Hex,
  type Log,
  padHex,
  toEventSelector,
} from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';

const REVOKED = toEventSelector(getAbiItem({ abi: tradingAccountAbi, name: 'GrantRevoked' }));
const SET = toEventSelector(getAbiItem({ abi: tradingAccountAbi, name: 'GrantSet' }));

/** The logs of smart accounts that may end a permission: it is revoked, or given to another. */
export const PERMISSION_EVENTS: Hex[] = [REVOKED, SET];

/** The accounts whose logs say that the vault may no longer trade for them. */
export function readEndedPermissions(vault: Address, logs: readonly Log[]): Address[] {
  const operator = padHex(vault.toLowerCase() as Hex);
  const ended = logs.filter(
    ({ topics: [event, to] }) => event === REVOKED || (event === SET && to !== operator),
  );
  return [...new Set(ended.map(({ address }) => getAddress(address)))];
}
