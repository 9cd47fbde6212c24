import { readFile, stat } from 'node:fs/promises';
import type { Address } from 'viem';
import type { ComplianceConfig } from '../../platform/config/compliance.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError, throwFirst } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { createIpMatcher, normalizeIp } from '../../platform/network/ipAddress.ts';
import { findTermsProblems } from './terms.ts';

type ComplianceSettings = Pick<Config, 'compliance' | 'trustedProxies'>;

/** The checks of a configuration, created once per configuration. */
export const complianceOf = memoizeByObject((config: ComplianceSettings) => {
  const { compliance, trustedProxies } = config;
  const isOff = compliance.mode === 'off';
  return {
    isOff,
    check: isOff ? noCheck : createListCheck(compliance),
    regionOf: regionReader(compliance.region.header, trustedProxies),
  };
});

type Deps = { database: Database; config: ComplianceSettings };

type Purchase = { owner: Address; addresses: readonly string[]; region: string | undefined };

/** Before a purchase: why its region, its parties or missing terms do not allow it. */
export async function findPurchaseProblems(
  deps: Deps,
  purchase: Purchase,
): Promise<ServiceError[]> {
  const { check } = complianceOf(deps.config);
  const { owner, addresses, region } = purchase;
  const [refusals, terms] = await Promise.all([
    check.assessPurchase({ addresses: [owner, ...addresses], region }),
    findTermsProblems(deps, deps.config.compliance.terms, owner),
  ]);
  return [...refusals.map(asProblem), ...terms];
}

/**
 * Before sales, redemptions and withdrawals: checks only the parties. They are available everywhere
 * and without terms, so that users can always get their funds.
 * @throws {ServiceError} account_blocked
 */
export async function requirePartiesAllowed(
  deps: Pick<Deps, 'config'>,
  addresses: readonly string[],
): Promise<void> {
  throwFirst(await findPartyProblems(deps, addresses));
}

export async function findPartyProblems(
  deps: Pick<Deps, 'config'>,
  addresses: readonly string[],
): Promise<ServiceError[]> {
  return (await complianceOf(deps.config).check.assessParties(addresses)).map(asProblem);
}

const DETAILS = {
  region_not_served:
    'You cannot buy from this region. Selling, redeeming and ' +
    'withdrawing work. Nothing was created.',
  account_blocked:
    'An address in this request is on a sanctions or block list. Nothing was created.',
} as const;

function asProblem(refusal: Refusal): ServiceError {
  return new ServiceError(refusal, DETAILS[refusal]);
}

type Refusal = keyof typeof DETAILS;

/**
 * Legally required checks; empty where nothing is refused. The lists below are one
 * implementation; an address screening service is another. A check that cannot be performed must
 * throw, so that the request is rejected.
 */
export type ComplianceCheck = {
  /** For purchases: checks region and parties. */
  assessPurchase(purchase: {
    /** Owners, smart accounts and receivers, in any spelling. */
    addresses: readonly string[];
    /** ISO 3166-1 (`US`) or 3166-2 (`US-NY`); undefined when unknown. */
    region: string | undefined;
  }): Promise<Refusal[]>;
  /** For all other services: checks only the parties. */
  assessParties(addresses: readonly string[]): Promise<Refusal[]>;
};

const noCheck: ComplianceCheck = {
  assessPurchase: async () => [],
  assessParties: async () => [],
};

/** Compares with the configured files. */
export function createListCheck(config: ComplianceConfig): ComplianceCheck {
  const { region: regions, blockedAddressesFile } = config;
  const blockedRegions = openListFile(regions.blockedFile, (entry) => entry.toUpperCase());
  const blockedAddresses = openListFile(blockedAddressesFile, (entry) => entry.toLowerCase());

  async function assessParties(addresses: readonly string[]): Promise<Refusal[]> {
    const blocked = await blockedAddresses();
    const isBlocked = addresses.some((address) => blocked.has(address.toLowerCase()));
    return isBlocked ? ['account_blocked'] : [];
  }

  return {
    assessParties,
    async assessPurchase({ addresses, region }) {
      const refusals = await assessParties(addresses);
      const isRefused =
        region === undefined ? regions.required : isBlockedRegion(await blockedRegions(), region);
      return isRefused ? [...refusals, 'region_not_served'] : refusals;
    },
  };
}

/** A country includes all of its parts. */
function isBlockedRegion(blocked: ReadonlySet<string>, region: string): boolean {
  const code = region.toUpperCase();
  return blocked.has(code) || blocked.has(code.split('-', 1)[0] ?? code);
}

const RECHECK_MS = 10_000;

/**
 * The lines of a file, read again when it changes: one entry a line, `#` begins a comment. Empty
 * without a file. Throws for an unreadable file, so that nothing passes without the check.
 */
export function openListFile(
  path: string | undefined,
  normalise: (entry: string) => string,
  now: () => number = Date.now,
): () => Promise<ReadonlySet<string>> {
  if (path === undefined) return async () => new Set();
  let entries: ReadonlySet<string> | undefined;
  let version = '';
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (entries && now() - checkedAt < RECHECK_MS) return entries;
    const { mtimeMs, size } = await stat(path);
    const found = `${mtimeMs} ${size}`;
    if (!entries || found !== version) {
      entries = parseList(await readFile(path, 'utf8'), normalise);
      version = found;
    }
    checkedAt = now();
    return entries;
  };
}

function parseList(text: string, normalise: (entry: string) => string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(lines.filter((line) => line !== '').map(normalise));
}

const REGION = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/;
/** Proxies' values for an unknown country. */
const UNKNOWN = new Set(['XX', 'T1', 'ZZ']);

type RegionReader = (request: {
  /** The address of the connection itself. */
  peer: string | undefined;
  header(name: string): string | undefined;
}) => string | undefined;

/**
 * The region of a request, as our own proxy reports it. Any client can send the header, so it
 * counts only on connections from our proxies.
 */
export function regionReader(
  header: string | undefined,
  trustedProxies: readonly string[],
): RegionReader {
  if (header === undefined) return () => undefined;
  const isOurs = createIpMatcher(trustedProxies);
  return (request) => {
    if (!isOurs(normalizeIp(request.peer ?? '') ?? '')) return undefined;
    const region = request.header(header)?.trim() ?? '';
    if (!REGION.test(region) || UNKNOWN.has(region.toUpperCase())) return undefined;
    return region.toUpperCase();
  };
}
