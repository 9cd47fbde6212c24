import {
  type AbiStateMutability,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type Hex,
  keccak256,
  toBytes,
  zeroHash,
} from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import { MICROS, parseMicros } from '#lib/money.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';

/** Calls to the vault and its settlement that people send, from a multisig or a single key. */

export const VAULT_ROLES = [
  'ADMIN',
  'OPERATOR',
  'ATTESTOR',
  'RESOLVER',
  'PAUSER',
  /** An invitation: its holder may become the treasury, once. */
  'TREASURY',
] as const;
export type VaultRole = (typeof VAULT_ROLES)[number];

/** The role's id in the vault's access control. */
export function roleId(role: VaultRole): Hex {
  return role === 'ADMIN' ? zeroHash : keccak256(toBytes(role));
}

export type VaultCall = {
  label: string;
  to: 'vault' | 'settlement';
  /** Roles that may send it; empty for any sender. */
  senders: readonly VaultRole[];
  data: Hex;
};

function vaultCall<Name extends ContractFunctionName<typeof swapVaultAbi>>(
  label: string,
  senders: readonly VaultRole[],
  functionName: Name,
  args: ContractFunctionArgs<typeof swapVaultAbi, AbiStateMutability, Name>,
): VaultCall {
  return { label, to: 'vault', senders, data: encodeCall(swapVaultAbi, functionName, args) };
}

function settlementCall<Name extends ContractFunctionName<typeof settlementAbi>>(
  label: string,
  senders: readonly VaultRole[],
  functionName: Name,
  args: ContractFunctionArgs<typeof settlementAbi, AbiStateMutability, Name>,
): VaultCall {
  return { label, to: 'settlement', senders, data: encodeCall(settlementAbi, functionName, args) };
}

export function pauseCall(): VaultCall {
  return vaultCall('pause the vault', ['PAUSER'], 'pause', []);
}

export function unpauseCall(): VaultCall {
  return vaultCall('end the pause', ['ADMIN'], 'unpause', []);
}

export function grantRoleCall(role: VaultRole, holder: Address): VaultCall {
  return vaultCall(`make ${holder} ${role}`, ['ADMIN'], 'grantRole', [roleId(role), holder]);
}

/** Roles of hot keys, which the pauser may revoke without waiting for an administrator. */
const HOT_ROLES: readonly VaultRole[] = ['OPERATOR', 'ATTESTOR', 'RESOLVER'];

export function revokeRoleCall(role: VaultRole, holder: Address): VaultCall {
  const senders: VaultRole[] = HOT_ROLES.includes(role) ? ['PAUSER', 'ADMIN'] : ['ADMIN'];
  return vaultCall(`take ${role} from ${holder}`, senders, 'revokeRole', [roleId(role), holder]);
}

export function acceptTreasuryCall(): VaultCall {
  return vaultCall('become the treasury', ['TREASURY'], 'acceptTreasury', []);
}

/**
 * @param payoutYes dollars that a contract of YES pays, as a decimal between 0 and 1; NO pays the
 * rest
 * @throws {Error} for anything else
 */
export function proposeCall(ticker: string, payoutYes: string): VaultCall {
  const micros = parseMicros(payoutYes);
  if (micros > MICROS) throw new Error('a contract pays at most one dollar');
  const label = `propose that YES of ${ticker} pays ${payoutYes}`;
  const args = [marketKeyOf(ticker), micros, MICROS - micros] as const;
  return settlementCall(label, ['RESOLVER'], 'proposeSettlement', args);
}

export function vetoCall(ticker: string): VaultCall {
  const label = `veto the settlement of ${ticker}`;
  return settlementCall(label, ['PAUSER', 'ADMIN'], 'vetoSettlement', [marketKeyOf(ticker)]);
}

/**
 * @param dollars an hour: from buyers, for sells, for settlements @throws {Error} for other numbers
 */
export function capsCall(
  ...dollars: [mint: string, payout: string, settlement: string]
): VaultCall {
  const [mint, payout, settlement] = dollars;
  const args = [parseMicros(mint), parseMicros(payout), parseMicros(settlement)] as const;
  const label = `set the hourly caps to ${dollars.join(', ')} dollars`;
  return vaultCall(label, ['ADMIN'], 'setBuckets', args);
}

export function registerCall(ticker: string): VaultCall {
  return settlementCall(`register ${ticker}`, ['ATTESTOR'], 'registerMarket', [ticker]);
}

/** A week after the delay anyone may send it, except the key that made the proposal. */
export function finalizeCall(ticker: string): VaultCall {
  const label = `open the payout of ${ticker}`;
  return settlementCall(label, ['OPERATOR'], 'finalizeSettlement', [marketKeyOf(ticker)]);
}
