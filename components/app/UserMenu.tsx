'use client';

import { NotificationBell } from '#components/notifications/NotificationBell.tsx';
import { InProgressTray } from '#components/order/InProgressTray.tsx';
import { OrderToasts } from '#components/order/OrderToasts.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { WalletButton } from '#components/wallet/WalletButton.tsx';
import { DataProvider } from './DataProvider.tsx';
import { LiveBanner } from './LiveBanner.tsx';
import { MenuDismissal } from './MenuDismissal.tsx';
import { RestoreVisitor } from './RestoreVisitor.tsx';
import { useLiveOrders } from './useLive.ts';

/** The header's user menu; it loads after the page and persists across navigation. */
export function UserMenu() {
  return (
    <DataProvider>
      <RestoreVisitor />
      <MenuDismissal />
      <LiveBanner />
      <LiveOrders />
      <InProgressTray />
      <OrderToasts />
      <NotificationBell />
      <WalletButton />
    </DataProvider>
  );
}

function LiveOrders() {
  const { session } = useVisitor();
  useLiveOrders(session !== undefined);
  return null;
}
