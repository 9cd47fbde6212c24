'use client';

import { useEffect } from 'react';
import { NewsBell } from '#components/news/NewsBell.tsx';
import { InProgressTray } from '#components/order/InProgressTray.tsx';
import { OrderToasts } from '#components/order/OrderToasts.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { WalletButton } from '#components/wallet/WalletButton.tsx';
import { keepOfflinePage } from '#lib/offlinePage.ts';
import { restoreSession } from '#lib/session/session.ts';
import { restoreRememberedWallet } from '#lib/wallet/wallet.ts';
import { DataProvider } from './DataProvider.tsx';
import { LiveBanner } from './LiveBanner.tsx';
import { useSite } from './SiteProvider.tsx';
import { useLiveOrders } from './useLive.ts';

/** The header's part about the visitor; it loads after the page and stays while they browse. */
export function VisitorIsland() {
  const site = useSite();
  // What the browser remembers cannot be in the first paint, which the server made.
  useEffect(() => {
    restoreSession();
    restoreRememberedWallet(site);
    keepOfflinePage();
  }, [site]);
  return (
    <DataProvider>
      <LiveBanner />
      <LiveOrders />
      <InProgressTray />
      <OrderToasts />
      <NewsBell />
      <WalletButton />
    </DataProvider>
  );
}

function LiveOrders() {
  const { session } = useVisitor();
  useLiveOrders(session !== undefined);
  return null;
}
