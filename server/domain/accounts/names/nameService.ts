import { type Address, getAddress, isAddressEqual } from 'viem';
import type { ResolvedName } from '#lib/api/schemas/name.ts';
import type { Config } from '#server/platform/config/config.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { ensNames, openNamesClient } from './ensNames.ts';
import { normalName } from './normalName.ts';

/** The address of a name, and where it is recorded. */
export type NamedAddress = { address: Address; source: 'chain' | 'ethereum' | 'sandbox' };

/** A source of names. Names are normalised; addresses checksummed. */
export type NameSource = {
  /** Undefined for a name without an address. @throws when the look-up fails */
  resolve(name: string): Promise<NamedAddress | undefined>;
  /** The primary name of an address, which resolves back to it. @throws like `resolve` */
  nameOf(address: Address): Promise<string | undefined>;
};

export type NameService = {
  /**
   * Resolves a name to an address.
   * @throws {ServiceError} `invalid_request`, `name_not_found`, `names_not_served`,
   *   `names_unavailable`
   */
  resolve(text: string): Promise<ResolvedName>;
  /**
   * The primary name of an address, or null.
   * @throws {ServiceError} `names_not_served`, `names_unavailable`
   */
  nameOf(address: string): Promise<string | null>;
};

const FOUND_MS = 60_000;
const NOTHING_MS = 15_000;

/**
 * The name service of this configuration: the sandbox's own names, then ENS where a node is set.
 */
export function openNames(
  config: Pick<Config, 'names' | 'chain'>,
  resolveHost: HostResolver,
): NameService {
  const { rpcUrl, sandbox } = config.names;
  return createNameService([
    ...(sandbox.length > 0 ? [fixedNames(sandbox)] : []),
    ...(rpcUrl === undefined
      ? []
      : [ensNames(openNamesClient(rpcUrl, resolveHost), config.chain.id)]),
  ]);
}

/** Queries the sources in turn until one has a result. */
export function createNameService(sources: readonly NameSource[]): NameService {
  const ttlOf = (value: unknown) => (value === undefined ? NOTHING_MS : FOUND_MS);
  const addresses = createTimedCache(
    FOUND_MS,
    (name) => firstOf(sources, (source) => source.resolve(name)),
    { ttlOf },
  );
  const names = createTimedCache(
    FOUND_MS,
    (address) => firstOf(sources, (source) => source.nameOf(address as Address)),
    { ttlOf },
  );
  return {
    async resolve(text) {
      const name = requireName(text);
      requireSources(sources);
      const found = await reached(() => addresses(name));
      if (!found) throw new ServiceError('name_not_found', `"${name}" has no address.`);
      return { name, ...found };
    },
    async nameOf(text) {
      requireSources(sources);
      const address = getAddress(text.toLowerCase());
      return (await reached(() => names(address))) ?? null;
    },
  };
}

async function firstOf<Value>(
  sources: readonly NameSource[],
  ask: (source: NameSource) => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (const source of sources) {
    const found = await ask(source);
    if (found !== undefined) return found;
  }
  return undefined;
}

function requireName(text: string): string {
  const normal = normalName(text);
  if ('name' in normal) return normal.name;
  const detail =
    normal.problem === 'invisible'
      ? 'has invisible characters; type it instead of copying it'
      : 'must be a name such as alice.eth, in one script and without look-alike characters';
  throw new ServiceError('invalid_request', `This name is not valid: it ${detail}.`, {
    errors: [{ pointer: '/path/name', detail }],
  });
}

function requireSources(sources: readonly NameSource[]): void {
  if (sources.length > 0) return;
  throw new ServiceError('names_not_served', 'Name lookup is not available. Use an address.');
}

/** @throws {ServiceError} `names_unavailable` */
async function reached<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    throw new ServiceError('names_unavailable', 'Name lookup is not responding. Try again.', {
      cause,
      retryAfterSeconds: 2,
    });
  }
}

/** Names that the configuration lists: those of the sandbox's wallets. */
export function fixedNames(list: Config['names']['sandbox']): NameSource {
  return {
    resolve: async (name) => {
      const found = list.find((one) => one.name === name);
      return found && { address: found.address, source: 'sandbox' };
    },
    nameOf: async (address) => list.find((one) => isAddressEqual(one.address, address))?.name,
  };
}
