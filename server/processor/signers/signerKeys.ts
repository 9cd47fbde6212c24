import { type Address, type Hex, keccak256, toBytes } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { Config } from '#server/platform/config/config.ts';
import { openChainSigner } from '#server/platform/keys/chainSigner.ts';
import { createKeyService, type KeySource } from '#server/platform/keys/keyService.ts';
import type { SignerRole } from './signer.ts';

const OPERATOR: readonly OperationKind[] = [
  'grant',
  'request',
  'fill',
  'refund',
  'withdraw',
  'redeem',
  'finalize',
];
const ATTESTOR: readonly OperationKind[] = ['attest', 'register'];
const RESOLVER: readonly OperationKind[] = ['propose'];

/**
 * The configured keys with the operations of each; operators come first.
 * @throws {KeyServiceError} when a key at the key service cannot be found
 */
export async function openSignerRoles(
  config: Pick<Config, 'chain' | 'keyService'>,
): Promise<SignerRole[]> {
  const { operators, attestor, resolver } = config.chain.keys;
  const service = config.keyService && createKeyService(config.keyService);
  const open = async (source: KeySource<Hex>, kinds: readonly OperationKind[]) => ({
    account: await openChainSigner(source, service),
    kinds,
  });
  return await Promise.all([
    ...operators.map((source) => open(source, OPERATOR)),
    ...(attestor ? [open(attestor, ATTESTOR)] : []),
    ...(resolver ? [open(resolver, RESOLVER)] : []),
  ]);
}

/** Inputs of a recovery after a restore: all keys, and those whose requests are ours. */
export function addressesOf(roles: readonly SignerRole[]) {
  const of = (some: readonly SignerRole[]) => some.map(({ account }) => account.address);
  return { all: of(roles), operators: of(roles.filter(({ kinds }) => kinds === OPERATOR)) };
}

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

/** The contracts' errors for a key without the required role. */
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

/** Keys by their purpose, as metrics name them: addresses are not labels. */
export function namedSigners(
  roles: readonly SignerRole[],
): readonly { name: string; address: Address }[] {
  let operators = 0;
  return roles.map(({ account, kinds }) => {
    const { address } = account;
    if (kinds.includes('attest')) return { name: 'attestor', address };
    if (kinds.includes('propose')) return { name: 'resolver', address };
    operators += 1;
    return { name: `operator-${operators}`, address };
  });
}
