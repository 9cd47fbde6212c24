import { type Address, getAddress, getContract, type PublicClient, parseAbiItem } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { hasRole } from './plan.ts';
import { roleId, VAULT_ROLES, type VaultRole } from './vaultCalls.ts';

/** The vault's parameters and the holders of its roles. */
export type VaultState = {
  isPaused: boolean;
  settlement: Address;
  treasury: Address;
  roles: Record<VaultRole, Address[]>;
  settlementDelaySeconds: number;
  maxBackingAgeSeconds: number;
  mintPerHourMicros: bigint;
  payoutPerHourMicros: bigint;
  settlementPerHourMicros: bigint;
};

export const GRANTED = parseAbiItem(
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
);

/**
 * Reads the vault's current state. Finds holders in the log of grants, then verifies each.
 * @param fromBlock of the deployment: nodes of public chains search a limited range
 */
export async function readVaultState(
  client: PublicClient,
  address: Address,
  fromBlock: bigint,
): Promise<VaultState> {
  const { read } = getContract({ address, abi: swapVaultAbi, client });
  const [isPaused, settlement, treasury, parameters, granted] = await Promise.all([
    read.paused(),
    read.settlement(),
    read.treasury(),
    read.parameters(),
    client.getLogs({ address, event: GRANTED, fromBlock }),
  ]);
  const holders = async (role: VaultRole): Promise<Address[]> => {
    const ever = new Set(
      granted.flatMap(({ args }) =>
        args.role === roleId(role) && args.account ? getAddress(args.account) : [],
      ),
    );
    const now = await Promise.all(
      [...ever].map((holder) => hasRole(client, address, roleId(role), holder)),
    );
    return [...ever].filter((_, index) => now[index]);
  };
  const lists = await Promise.all(VAULT_ROLES.map(holders));
  const of = (role: VaultRole) => lists[VAULT_ROLES.indexOf(role)] ?? [];
  return {
    isPaused,
    settlement,
    treasury,
    roles: {
      ADMIN: of('ADMIN'),
      OPERATOR: of('OPERATOR'),
      ATTESTOR: of('ATTESTOR'),
      RESOLVER: of('RESOLVER'),
      PAUSER: of('PAUSER'),
      TREASURY: of('TREASURY'),
    },
    settlementDelaySeconds: Number(parameters.settlementDelay),
    maxBackingAgeSeconds: Number(parameters.maxBackingAge),
    mintPerHourMicros: parameters.mintPerHour,
    payoutPerHourMicros: parameters.payoutPerHour,
    settlementPerHourMicros: parameters.settlementPerHour,
  };
}
