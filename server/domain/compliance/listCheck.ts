import type { ComplianceConfig } from '../../platform/config/compliance.ts';
import { openListFile } from './listFile.ts';
import type { ComplianceCheck, ComplianceDecision } from './port.ts';

const ALLOWED: ComplianceDecision = { kind: 'allowed' };
const NOTHING: ReadonlySet<string> = new Set();

/** Compares with the configured files. */
export function createListCheck(config: ComplianceConfig): ComplianceCheck {
  const { region: regions, blockedAddressesFile } = config;
  const blockedRegions = regions.blockedFile
    ? openListFile(regions.blockedFile, (entry) => entry.toUpperCase())
    : async () => NOTHING;
  const blockedAddresses = blockedAddressesFile
    ? openListFile(blockedAddressesFile, (entry) => entry.toLowerCase())
    : async () => NOTHING;

  async function assessParties(addresses: readonly string[]): Promise<ComplianceDecision> {
    const blocked = await blockedAddresses();
    const isBlocked = addresses.some((address) => blocked.has(address.toLowerCase()));
    return isBlocked ? { kind: 'refused', code: 'account_blocked' } : ALLOWED;
  }

  return {
    assessParties,
    async assessPurchase({ addresses, region }) {
      const parties = await assessParties(addresses);
      if (parties.kind === 'refused') return parties;
      if (region === undefined) {
        return regions.required ? { kind: 'refused', code: 'region_not_served' } : ALLOWED;
      }
      return isBlockedRegion(await blockedRegions(), region)
        ? { kind: 'refused', code: 'region_not_served' }
        : ALLOWED;
    },
  };
}

/** A country includes all of its parts. */
function isBlockedRegion(blocked: ReadonlySet<string>, region: string): boolean {
  const code = region.toUpperCase();
  return blocked.has(code) || blocked.has(code.split('-', 1)[0] ?? code);
}
