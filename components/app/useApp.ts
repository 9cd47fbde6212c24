'use client';

import { useMemo } from 'react';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { endSession, sessionToken } from '#lib/session/session.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { useSite } from './SiteProvider.tsx';

/** The site's configuration and a client of its API that carries the visitor's sign-in. */
export function useApp(): { site: SiteConfig; api: CrossbookClient } {
  const site = useSite();
  return useMemo(
    () => ({
      site,
      api: createClient({
        baseUrl: '',
        apiKey: site.apiKey,
        token: sessionToken,
        onTokenRefused: endSession,
      }),
    }),
    [site],
  );
}
