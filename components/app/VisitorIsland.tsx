'use client';

import { NewsBell } from '#components/news/NewsBell.tsx';
import { InProgressTray } from '#components/order/InProgressTray.tsx';
import { OrderToasts } from '#components/order/OrderToasts.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { WalletButton } from '#components/wallet/WalletButton.tsx';
import { DataProvider } from './DataProvider.tsx';
import { LiveBanner } from './LiveBanner.tsx';
import { MenuKeeper } from './MenuKeeper.tsx';
import { useLiveOrders } from './useLive.ts';
import { VisitorMemory } from './VisitorMemory.tsx';

/** The header's part about the visitor; it loads after the page and stays while they browse. */
export function VisitorIsland() {
  return (
    <DataProvider>
      <VisitorMemory />
      <MenuKeeper />
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
