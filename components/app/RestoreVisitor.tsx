'use client';

import { useEffect } from 'react';
import { loadPart } from '#components/ui/loadPart.ts';
import { restoreSession, SIGNED_OUT_KEY } from '#lib/browser/session/session.ts';
import { restoreRememberedWallet } from '#lib/browser/wallet/wallet.ts';
import { useSite } from './SiteProvider.tsx';

/** Restores the visitor from browser storage; the server, which rendered the page, cannot. */
export function RestoreVisitor() {
  const site = useSite();
  useEffect(() => {
    restoreSession();
    restoreRememberedWallet(site);
    if (localStorage.getItem(SIGNED_OUT_KEY) === null) return;
    // A sign-out that the service has not heard of; if this fails, the next page tries again.
    void loadPart(() => import('#lib/browser/session/renewSession.ts'))
      .then(({ finishSignOut }) => finishSignOut())
      .catch(() => undefined);
  }, [site]);
  return null;
}
