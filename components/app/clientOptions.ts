import type { ClientOptions } from '#lib/api/tradingClient.ts';
import { endSession, sessionToken } from '#lib/browser/session/session.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

/** How the pages ask: under the site's own key, with the visitor's sign-in where there is one. */
export function clientOptions(site: SiteConfig): ClientOptions {
  return {
    baseUrl: '',
    apiKey: site.apiKey,
    token: sessionToken,
    onTokenRefused: endSession,
  };
}
