import { useMemo } from 'react';
import {
  type ClientOptions,
  createTradingClient,
  type TradingClient,
} from '#lib/api/tradingClient.ts';
import { endSession, sessionToken } from '#lib/browser/session/session.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { useSite } from './SiteProvider.tsx';

export function useApp(): { site: SiteConfig; api: TradingClient } {
  const site = useSite();
  return useMemo(() => ({ site, api: createTradingClient(clientOptions(site)) }), [site]);
}

/**
 * How the pages call the API: with the site's own key, and the visitor's session if there is one.
 */
export function clientOptions(site: SiteConfig): ClientOptions {
  return {
    baseUrl: '',
    apiKey: site.apiKey,
    token: sessionToken,
    onTokenRefused: endSession,
  };
}
