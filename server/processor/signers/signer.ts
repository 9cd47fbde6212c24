import { type Address, type Hex, keccak256, toBytes } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import type { Config } from '#server/platform/config/config.ts';
import { type ChainSigner, openChainSigner } from '#server/platform/keys/chainSigner.ts';
import type { KeySource } from '#server/platform/keys/keyService.ts';
import { createKeyService } from '#server/platform/keys/keyService.ts';
import type { ProcessorDeps } from '../runner/stepDeps.ts';

export type SignerDeps = ProcessorDeps & {
  /** The keys that this process holds. */
  keysHeld: Set<Address>;
  maxFeePerGas: bigint;
};

export type SignerRole = { account: ChainSigner; kinds: readonly OperationKind[] };

type SignerAlert =
  | 'operator_unfunded'
  | 'transaction_stuck'
  | 'key_refused'
  | 'key_service_failing';

export type SignerAlerts = ReturnType<typeof createSignerAlerts>;

const REPEAT_MS = 15_000;

/** Alerts about one key; an unchanged state is not written again. */
export function createSignerAlerts(deps: Pick<ProcessorDeps, 'database' | 'log'>, signer: string) {
  const raisedAt = new Map<SignerAlert, number>();
  const clear = new Set<SignerAlert>();
  return {
    async raise(kind: SignerAlert, internalDetail: string): Promise<void> {
      if (performance.now() - (raisedAt.get(kind) ?? -REPEAT_MS) < REPEAT_MS) return;
      raisedAt.set(kind, performance.now());
      clear.delete(kind);
      await raiseAlert(deps, { kind, subject: signer, internalDetail });
    },
    async clear(kind: SignerAlert): Promise<void> {
      if (clear.has(kind)) return;
      await resolveAlert(deps, { kind, subject: signer });
      clear.add(kind);
      raisedAt.delete(kind);
    },
    /** Whether it may be open; unknown until this process has raised or resolved it. */
    mayBeOpen: (kind: SignerAlert) => !clear.has(kind),
  };
}

const REQUIRE_OPERATOR = ['request', 'fill', 'refund', 'withdraw', 'finalize'] as const;
const OPERATOR: readonly OperationKind[] = [...REQUIRE_OPERATOR, 'grant', 'redeem'];
const ATTESTOR: readonly OperationKind[] = ['attest', 'register'];
const RESOLVER: readonly OperationKind[] = ['propose'];
/** A key without any role: what it sends, owners have signed. It never delays a delivery. */
const RELAYER: readonly OperationKind[] = ['relay'];

/**
 * The configured keys with the operations of each; operators come first.
 * @throws {KeyServiceError} when a key at the key service cannot be found
 */
export async function openSignerRoles(
  config: Pick<Config, 'chain' | 'keyService'>,
): Promise<SignerRole[]> {
  const { operators, attestor, resolver, relayer } = config.chain.keys;
  const service = config.keyService && createKeyService(config.keyService);
  const open = async (source: KeySource<Hex>, kinds: readonly OperationKind[]) => ({
    account: await openChainSigner(source, service),
    kinds,
  });
  return await Promise.all([
    ...operators.map((source) => open(source, OPERATOR)),
    ...(attestor ? [open(attestor, ATTESTOR)] : []),
    ...(resolver ? [open(resolver, RESOLVER)] : []),
    ...(relayer ? [open(relayer, RELAYER)] : []),
  ]);
}

/** Inputs of a recovery after a restore: all keys, and those whose requests are ours. */
export function addressesOf(roles: readonly SignerRole[]) {
  const of = (some: readonly SignerRole[]) => some.map(({ account }) => account.address);
  return { all: of(roles), operators: of(roles.filter(({ kinds }) => kinds === OPERATOR)) };
}

/** The vault's roles, with the operations that require them. */
const ROLES: Record<string, readonly OperationKind[]> = {
  OPERATOR: REQUIRE_OPERATOR,
  ATTESTOR,
  RESOLVER,
};

/** The contracts' errors for a key without the required role. */
const NOT_ALLOWED = new Set(['AccessControlUnauthorizedAccount', 'OnlyOperator']);

export function isRoleFailure(failure: string): boolean {
  return NOT_ALLOWED.has(failure);
}

/** Whether a key still has every role of the vault that its operations need. */
export async function hasItsRoles(
  chain: Chain,
  { account, kinds }: Pick<SignerRole, 'kinds'> & { account: { address: Hex } },
): Promise<boolean> {
  const roles = Object.keys(ROLES).filter((role) =>
    ROLES[role]?.some((one) => kinds.includes(one)),
  );
  const held = await Promise.all(
    roles.map((role) =>
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
    if (kinds.includes('relay')) return { name: 'relayer', address };
    operators += 1;
    return { name: `operator-${operators}`, address };
  });
}
