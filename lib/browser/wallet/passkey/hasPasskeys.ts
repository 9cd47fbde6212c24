import type { SiteConfig } from '#lib/siteConfig.ts';

/** Whether this browser makes passkeys for this site; none belongs to a bare IP address. */
export function hasPasskeys({ contracts }: Pick<SiteConfig, 'contracts'>): boolean {
  const isNamed = !/^[\d.]+$|^\[/.test(location.hostname);
  return contracts.passkeyFactory !== undefined && isNamed && 'PublicKeyCredential' in window;
}
