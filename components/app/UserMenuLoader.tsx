'use client';

import { type ComponentType, startTransition, useEffect, useState } from 'react';
import { buttonStyle } from '#components/ui/Button.tsx';
import { openConnectDialog } from '#components/wallet/connectDialog.ts';
import { tellAtRest } from '#lib/browser/atRest.ts';
import { keepOfflinePage } from '#lib/browser/offlinePage.ts';
import { rememberedWallet } from '#lib/browser/wallet/rememberedWallet.ts';
import { whenPresent } from '#lib/browser/whenPresent.ts';

/**
 * The visitor's part of the header. It is loaded at once for somebody whose wallet is remembered,
 * else at the first sign of somebody. The button that connects stays the same one all along: in the
 * middle of a press it must not be another's, nor lose the focus.
 */
export function UserMenuLoader() {
  const [Island, setIsland] = useState<ComponentType>();
  useEffect(() => {
    const load = () => {
      // Without it the page can still be read.
      import('./UserMenu.tsx').then(
        (module) => startTransition(() => setIsland(() => module.UserMenu)),
        () => undefined,
      );
    };
    if (!rememberedWallet()) return whenPresent(load);
    // In a task of its own: what the page shows is drawn first.
    const timer = setTimeout(load);
    return () => clearTimeout(timer);
  }, []);
  useEffect(tellAtRest, []);
  useEffect(keepOfflinePage, []);
  return (
    <>
      {Island && <Island />}
      <button
        type="button"
        className={`connect-first ${buttonStyle('primary', 's')}`}
        onClick={openConnectDialog}
      >
        Connect
      </button>
    </>
  );
}
