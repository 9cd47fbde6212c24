'use client';

import { createContext, type ReactNode, use } from 'react';
import type { SiteConfig } from '#lib/siteConfig.ts';

const SiteContext = createContext<SiteConfig | undefined>(undefined);

/** Provides the server's configuration. Kept small: every page's first load includes it. */
export function SiteProvider({ site, children }: { site: SiteConfig; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

export function useSite(): SiteConfig {
  const site = use(SiteContext);
  if (!site) throw new Error('useSite() outside SiteProvider');
  return site;
}
