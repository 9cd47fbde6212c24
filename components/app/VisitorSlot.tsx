'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { buttonStyle } from '#components/ui/Button.tsx';
import { REMEMBERED_WALLET_KEY } from '#lib/wallet/walletStore.ts';
import { whenIdle } from '#lib/whenIdle.ts';

/**
 * Holds the place of the visitor's part of the header until it is loaded: at once for somebody
 * whose wallet is remembered, else when the page has nothing better to do.
 */
export function VisitorSlot() {
  const [Island, setIsland] = useState<ComponentType>();
  useEffect(() => {
    const load = () => {
      // Without it the page can still be read.
      import('./VisitorIsland.tsx').then(
        (module) => setIsland(() => module.VisitorIsland),
        () => undefined,
      );
    };
    if (localStorage.getItem(REMEMBERED_WALLET_KEY) === null) return whenIdle(load);
    load();
    return undefined;
  }, []);
  if (Island) return <Island />;
  return (
    <span aria-hidden className={buttonStyle('outline', 's')}>
      <span className="text-ink-3">Connect</span>
    </span>
  );
}
