import { useMemo } from 'react';
import {
  type ClientOptions,
  createTradingClient,
  type TradingClient,
} from '#lib/api/tradingClient.ts';
import { freshToken, replaceToken } from '#lib/browser/session/freshToken.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { useSite } from './SiteProvider.tsx';

export function useApp(): { site: SiteConfig; api: TradingClient } {
  const site = useSite();
  return useMemo(() => ({ site, api: createTradingClient(clientOptions(site)) }), [site]);
}

export function clientOptions(site: SiteConfig): ClientOptions {
  return {
    baseUrl: '',
    apiKey: site.apiKey,
    token: freshToken,
    onTokenRefused: replaceToken,
  };
}
