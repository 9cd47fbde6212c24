'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { ConnectButton } from '#components/wallet/ConnectButton.tsx';
import { registerServiceWorker } from '#lib/browser/offlinePage.ts';

// Only the browser knows the visitor: the server cannot render the menu.
const UserMenu = dynamic(
  () => loadOptionalPart(() => import('./UserMenu.tsx').then((m) => m.UserMenu)),
  { ssr: false },
);

/** Loads the user menu. The Connect button stays the same element while the rest loads. */
export function UserMenuLoader() {
  useEffect(registerServiceWorker, []);
  return (
    <>
      <UserMenu />
      <ConnectButton formClassName="connect-first" className={buttonStyle('primary', 's')}>
        Connect
      </ConnectButton>
    </>
  );
}
