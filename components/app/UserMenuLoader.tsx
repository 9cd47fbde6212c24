'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { buttonStyle } from '#components/ui/Button.tsx';
import { renderNothing } from '#components/ui/renderNothing.ts';
import { ConnectButton } from '#components/wallet/ConnectButton.tsx';
import { registerServiceWorker } from '#lib/browser/offlinePage.ts';

// Only the browser knows the visitor: the server has nothing of it to render.
const UserMenu = dynamic(() => import('./UserMenu.tsx').then((m) => m.UserMenu, renderNothing), {
  ssr: false,
});

/** The header's part about the visitor. Connect stays the same element while the rest loads. */
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
