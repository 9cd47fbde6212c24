import type { Address } from 'viem';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { createListCheck } from './listCheck.ts';
import { type ComplianceCheck, type ComplianceDecision, noCheck } from './port.ts';
import { type RegionReader, regionReader } from './region.ts';
import { requireTerms } from './terms.ts';

export type Compliance = { isOff: boolean; check: ComplianceCheck; regionOf: RegionReader };

const opened = new WeakMap<object, Compliance>();

type ComplianceSettings = Pick<Config, 'compliance' | 'trustedProxies'>;

/** The checks of a configuration, created once per configuration. */
export function complianceOf(config: ComplianceSettings): Compliance {
  const { compliance, trustedProxies } = config;
  const known = opened.get(compliance);
  if (known) return known;
  const fresh = {
    isOff: compliance.mode === 'off',
    check: compliance.mode === 'off' ? noCheck : createListCheck(compliance),
    regionOf: regionReader(compliance.region.header, trustedProxies),
  };
  opened.set(compliance, fresh);
  return fresh;
}

type Deps = { database: Database; config: ComplianceSettings };

/**
 * Before a purchase: checks the region, the parties and the accepted terms.
 * @throws {ServiceError} region_not_served, account_blocked, terms_not_accepted
 */
export async function requirePurchaseAllowed(
  deps: Deps,
  purchase: { owner: Address; addresses: readonly string[]; region: string | undefined },
): Promise<void> {
  const { check } = complianceOf(deps.config);
  const { owner, addresses, region } = purchase;
  requireAllowed(await check.assessPurchase({ addresses: [owner, ...addresses], region }));
  await requireTerms(deps, deps.config.compliance.terms, owner);
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
  requireAllowed(await complianceOf(deps.config).check.assessParties(addresses));
}

const DETAILS = {
  region_not_served:
    'You cannot buy from this region. Selling, redeeming and ' +
    'withdrawing work. Nothing was created.',
  account_blocked:
    'An address in this request is on a sanctions or block list. Nothing was created.',
} as const;

function requireAllowed(outcome: ComplianceDecision): void {
  if (outcome.kind === 'refused') throw new ServiceError(outcome.code, DETAILS[outcome.code]);
}
