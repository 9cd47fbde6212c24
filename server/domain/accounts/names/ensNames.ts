import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  getAddress,
  http,
  isAddressEqual,
  type PublicClient,
} from 'viem';
import { toCoinType } from 'viem/ens';
import { mainnet } from '#lib/chains.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { requestGateway } from './gatewayRequest.ts';
import type { NamedAddress, NameSource } from './nameService.ts';
import { normalName } from './normalName.ts';

/** SLIP-44: Ethereum, the record that nearly every name has. */
const ETHEREUM = 60n;

/** A client of Ethereum, where names live; records kept elsewhere are fetched from public hosts. */
export function openNamesClient(rpcUrl: string, resolveHost: HostResolver): PublicClient {
  return createPublicClient({
    chain: mainnet,
    transport: http(rpcUrl, { timeout: 5_000, retryCount: 1 }),
    ccipRead: { request: (lookup) => requestGateway(lookup, resolveHost) },
  });
}

/**
 * ENS and its extensions such as Basenames. The record of the served chain takes precedence over
 * that of Ethereum. A name that an address claims counts only if it resolves back to the address.
 */
export function ensNames(client: PublicClient, chainId: number): NameSource {
  const coinTypes = [toCoinType(chainId), ETHEREUM] as const;
  const sourceOf = (coinType: bigint): NamedAddress['source'] =>
    coinType === ETHEREUM ? 'ethereum' : 'chain';
  const addressOf = async (name: string, coinType: bigint): Promise<Address | null> => {
    // Resolvers that only know Ethereum do not accept its number.
    const record = coinType === ETHEREUM ? {} : { coinType };
    const found = await unlessNothing(client.getEnsAddress({ name, ...record, strict: true }));
    return found && /^0x[0-9a-f]{40}$/i.test(found) ? getAddress(found) : null;
  };
  const resolve = async (name: string): Promise<NamedAddress | undefined> => {
    for (const coinType of coinTypes) {
      const address = await addressOf(name, coinType);
      if (address) return { address, source: sourceOf(coinType) };
    }
    return undefined;
  };
  return {
    resolve,
    async nameOf(address) {
      for (const coinType of coinTypes) {
        const name = await unlessNothing(client.getEnsName({ address, coinType, strict: true }));
        // A claim in any other spelling imitates another name.
        const normal = name === null ? undefined : normalName(name);
        if (name === null || !normal || !('name' in normal) || normal.name !== name) continue;
        const meant = await resolve(name);
        if (meant && isAddressEqual(meant.address, address)) return name;
      }
      return undefined;
    },
  };
}

/** The resolver's errors for a missing record, as opposed to a failed look-up. */
const NOTHING = new Set([
  'ResolverError',
  'ResolverNotContract',
  'ResolverNotFound',
  'ReverseAddressMismatch',
  'UnsupportedResolverProfile',
]);

async function unlessNothing<Value>(response: Promise<Value | null>): Promise<Value | null> {
  try {
    return await response;
  } catch (error) {
    const revert =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : undefined;
    if (!(revert instanceof ContractFunctionRevertedError)) throw error;
    if (!NOTHING.has(revert.data?.errorName ?? '')) throw error;
    return null;
  }
}
