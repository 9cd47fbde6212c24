import { useMemo } from 'react';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { useSite } from './SiteProvider.tsx';
import { clientOptions } from './useApp.ts';

/** The client with keys, webhooks and notifications, for the few components that manage those. */
export function useFullClient(): CrossbookClient {
  const site = useSite();
  return useMemo(() => createClient(clientOptions(site)), [site]);
}
