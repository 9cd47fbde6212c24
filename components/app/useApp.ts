'use client';

import { useMemo } from 'react';
import { createTradingClient, type TradingClient } from '#lib/api/tradingClient.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { clientOptions } from './clientOptions.ts';
import { useSite } from './SiteProvider.tsx';

/** The site's configuration and an API client with the visitor's session. */
export function useApp(): { site: SiteConfig; api: TradingClient } {
  const site = useSite();
  return useMemo(() => ({ site, api: createTradingClient(clientOptions(site)) }), [site]);
}
