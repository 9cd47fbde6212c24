'use client';

import { useEffect } from 'react';
import { restoreSession } from '#lib/browser/session/session.ts';
import { restoreRememberedWallet } from '#lib/browser/wallet/wallet.ts';
import { useSite } from './SiteProvider.tsx';

/** Restores the visitor from browser storage; the server, which rendered the page, cannot. */
export function RestoreVisitor() {
  const site = useSite();
  useEffect(() => {
    restoreSession();
    restoreRememberedWallet(site);
  }, [site]);
  return null;
}
