import type { Hex } from 'viem';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { Config } from '#server/platform/config/config.ts';
import { openChainSigner } from '#server/platform/keys/chainSigner.ts';
import { createKeyService } from '#server/platform/keys/keyService.ts';
import type { KeySource } from '#server/platform/keys/keySource.ts';
import type { SignerRole } from './signerDeps.ts';

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
 * The configured keys with the work that each may do; operators come first.
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

/** What a recovery after a restore asks about: all keys, and those whose requests are ours. */
export function addressesOf(roles: readonly SignerRole[]) {
  const of = (some: readonly SignerRole[]) => some.map(({ account }) => account.address);
  return { all: of(roles), operators: of(roles.filter(({ kinds }) => kinds === OPERATOR)) };
}
