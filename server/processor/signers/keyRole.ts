import { type Hex, keccak256, toBytes } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { SignerRole } from './signerDeps.ts';

const ROLE_OF: Partial<Record<OperationKind, string>> = {
  request: 'OPERATOR',
  fill: 'OPERATOR',
  refund: 'OPERATOR',
  withdraw: 'OPERATOR',
  finalize: 'OPERATOR',
  attest: 'ATTESTOR',
  register: 'ATTESTOR',
  propose: 'RESOLVER',
};

/** What the contracts answer to a key that may not do this, or may no longer. */
const NOT_ALLOWED = new Set(['AccessControlUnauthorizedAccount', 'OnlyOperator']);

export function isRoleFailure(failure: string): boolean {
  return NOT_ALLOWED.has(failure);
}

/** Whether a key still has every role of the vault that its operations need. */
export async function holdsItsRole(
  chain: Chain,
  { account, kinds }: Pick<SignerRole, 'kinds'> & { account: { address: Hex } },
): Promise<boolean> {
  const roles = new Set(kinds.flatMap((kind) => ROLE_OF[kind] ?? []));
  const held = await Promise.all(
    [...roles].map((role) =>
      chain.client.readContract({
        address: chain.contracts.swapVault,
        abi: swapVaultAbi,
        functionName: 'hasRole',
        args: [keccak256(toBytes(role)), account.address],
      }),
    ),
  );
  return held.every(Boolean);
}
