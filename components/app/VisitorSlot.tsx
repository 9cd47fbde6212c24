'use client';

import { type ComponentType, startTransition, useEffect, useState } from 'react';
import { buttonStyle } from '#components/ui/Button.tsx';
import { useHydrated } from '#components/ui/clock.ts';
import { openConnectDialog } from '#components/wallet/connectDialog.ts';
import { keepOfflinePage } from '#lib/offlinePage.ts';
import { rememberedWallet } from '#lib/wallet/rememberedWallet.ts';
import { whenPresent } from '#lib/whenPresent.ts';

/**
 * Holds the place of the visitor's part of the header until it is loaded: at once for somebody
 * whose wallet is remembered, else at the first sign of somebody. Until then its
 * button stands in for the one that comes.
 */
export function VisitorSlot() {
  const hydrated = useHydrated();
  const [Island, setIsland] = useState<ComponentType>();
  useEffect(() => {
    const load = () => {
      // Without it the page can still be read.
      import('./VisitorIsland.tsx').then(
        (module) => startTransition(() => setIsland(() => module.VisitorIsland)),
        () => undefined,
      );
    };
    if (!rememberedWallet()) return whenPresent(load);
    // In a task of its own: what the page shows is drawn first.
    const timer = setTimeout(load);
    return () => clearTimeout(timer);
  }, []);
  useEffect(keepOfflinePage, []);
  if (Island) return <Island />;
  return (
    <button
      type="button"
      className={buttonStyle('primary', 's')}
      disabled={!hydrated}
      onClick={openConnectDialog}
    >
      Connect
    </button>
  );
}
