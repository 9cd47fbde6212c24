import { getAddress } from 'viem';
import type { ResolvedName } from '#lib/api/schemas/name.ts';
import type { Config } from '#server/platform/config/config.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { ensNames, openNamesClient } from './ensNames.ts';
import { fixedNames } from './fixedNames.ts';
import { normalName } from './normalName.ts';
import { createShortCache } from './shortCache.ts';
import type { NamedAddress, NameSource } from './source.ts';

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
const MAX_ENTRIES = 2_000;

/** The name service of this configuration: the sandbox's own names, then ENS where a node is set. */
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
  const options = {
    ttlMs: (value: unknown) => (value === undefined ? NOTHING_MS : FOUND_MS),
    maxEntries: MAX_ENTRIES,
  };
  const addresses = createShortCache<NamedAddress | undefined>(options);
  const names = createShortCache<string | undefined>(options);
  return {
    async resolve(text) {
      const name = requireName(text);
      requireSources(sources);
      const ask = (source: NameSource) => source.resolve(name);
      const found = await reached(() => addresses(name, () => firstOf(sources, ask)));
      if (!found) throw new ServiceError('name_not_found', `"${name}" has no address.`);
      return { name, ...found };
    },
    async nameOf(text) {
      requireSources(sources);
      const address = getAddress(text.toLowerCase());
      const ask = (source: NameSource) => source.nameOf(address);
      return (await reached(() => names(address, () => firstOf(sources, ask)))) ?? null;
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
