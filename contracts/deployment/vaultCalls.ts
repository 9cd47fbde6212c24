import { type Address, encodeFunctionData, type Hex, keccak256, toBytes, zeroHash } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { MICROS, parseMicros } from '#lib/money.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';

/** Calls to the vault that people send, from a multisig or a single key. */

export const VAULT_ROLES = [
  'ADMIN',
  'OPERATOR',
  'ATTESTOR',
  'RESOLVER',
  'PAUSER',
  /** An invitation: whoever holds it may become the treasury, once. */
  'TREASURY',
] as const;
export type VaultRole = (typeof VAULT_ROLES)[number];

/** As the vault's access control names a role. */
export function roleId(role: VaultRole): Hex {
  return role === 'ADMIN' ? zeroHash : keccak256(toBytes(role));
}

export type VaultCall = {
  /** What it does, in words. */
  label: string;
  /** Roles that may send it; empty for any sender. */
  senders: readonly VaultRole[];
  data: Hex;
};

export function pauseCall(): VaultCall {
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'pause' });
  return { label: 'pause the vault', senders: ['PAUSER'], data };
}

export function unpauseCall(): VaultCall {
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'unpause' });
  return { label: 'end the pause', senders: ['ADMIN'], data };
}

export function grantRoleCall(role: VaultRole, holder: Address): VaultCall {
  const args = [roleId(role), holder] as const;
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'grantRole', args });
  return { label: `make ${holder} ${role}`, senders: ['ADMIN'], data };
}

/** Roles of hot keys, which the pauser may take away without waiting for an administrator. */
const HOT_ROLES: readonly VaultRole[] = ['OPERATOR', 'ATTESTOR', 'RESOLVER'];

export function revokeRoleCall(role: VaultRole, holder: Address): VaultCall {
  const args = [roleId(role), holder] as const;
  return {
    label: `take ${role} from ${holder}`,
    senders: HOT_ROLES.includes(role) ? ['PAUSER', 'ADMIN'] : ['ADMIN'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'revokeRole', args }),
  };
}

export function acceptTreasuryCall(): VaultCall {
  const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'acceptTreasury' });
  return { label: 'become the treasury', senders: ['TREASURY'], data };
}

/**
 * @param payoutYes dollars that a contract of YES pays, as a decimal between 0 and 1; NO pays the rest
 * @throws {Error} for anything else
 */
export function proposeCall(ticker: string, payoutYes: string): VaultCall {
  const payoutYesMicros = parseMicros(payoutYes);
  if (payoutYesMicros > MICROS) throw new Error('a contract pays at most one dollar');
  const args = [marketKeyOf(ticker), payoutYesMicros, MICROS - payoutYesMicros] as const;
  return {
    label: `propose that YES of ${ticker} pays ${payoutYes}`,
    senders: ['RESOLVER'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'proposeSettlement', args }),
  };
}

export function vetoCall(ticker: string): VaultCall {
  const args = [marketKeyOf(ticker)] as const;
  return {
    label: `veto the settlement of ${ticker}`,
    senders: ['PAUSER', 'ADMIN'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'vetoSettlement', args }),
  };
}

/** @param dollars an hour: from buyers, for sells, for settlements @throws {Error} for other numbers */
export function capsCall(
  ...dollars: [mint: string, payout: string, settlement: string]
): VaultCall {
  const [mint, payout, settlement] = dollars;
  const args = [parseMicros(mint), parseMicros(payout), parseMicros(settlement)] as const;
  return {
    label: `set the hourly caps to ${dollars.join(', ')} dollars`,
    senders: ['ADMIN'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'setBuckets', args }),
  };
}

export function registerCall(ticker: string): VaultCall {
  const args = [ticker] as const;
  return {
    label: `register ${ticker}`,
    senders: ['ATTESTOR'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'registerMarket', args }),
  };
}

/** A week after its delay anyone may send it; but never the key that made the proposal. */
export function finalizeCall(ticker: string): VaultCall {
  const args = [marketKeyOf(ticker)] as const;
  return {
    label: `open the payout of ${ticker}`,
    senders: ['OPERATOR'],
    data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'finalizeSettlement', args }),
  };
}
