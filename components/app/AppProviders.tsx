'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { restoreSession, sessionToken } from '#lib/session/session.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { restoreRememberedWallet } from '#lib/wallet/wallet.ts';

type App = { site: SiteConfig; api: CrossbookClient };

const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = use(AppContext);
  if (!app) throw new Error('useApp() outside AppProviders');
  return app;
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) =>
          failures < 2 && isApiProblem(error) && (error.status === 0 || error.status >= 500),
      },
    },
  });
}

export function AppProviders({ site, children }: { site: SiteConfig; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const app = useMemo(
    () => ({
      site,
      api: createClient({ baseUrl: '', apiKey: site.apiKey, token: sessionToken }),
    }),
    [site],
  );
  // What the browser remembers cannot be in the first paint, which the server made.
  useEffect(() => {
    restoreSession();
    restoreRememberedWallet(site);
  }, [site]);
  return (
    <AppContext value={app}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </AppContext>
  );
}
