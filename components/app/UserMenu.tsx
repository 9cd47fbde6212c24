import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { NotificationBell } from '#components/notifications/NotificationBell.tsx';
import { InProgressTray } from '#components/order/InProgressTray.tsx';
import { OrderToasts } from '#components/order/OrderToasts.tsx';
import { useNow } from '#components/ui/clock.ts';
import { loadPart } from '#components/ui/loadPart.ts';
import { useOnline } from '#components/ui/useOnline.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { WalletButton } from '#components/wallet/WalletButton.tsx';
import { liveStatus } from '#lib/browser/live/liveStatus.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';
import { clockTime } from '#lib/format/time.ts';
import { DataProvider } from './DataProvider.tsx';
import { BANNER, LIVE_BANNER_ID } from './OfflineBanner.tsx';
import { RestoreVisitor } from './RestoreVisitor.tsx';
import { useFullClient } from './useFullClient.ts';
import { useLiveOrders } from './useLive.ts';

/** The header's user menu; it loads after the page and persists across navigation. */
export function UserMenu() {
  return (
    <DataProvider>
      <RestoreVisitor />
      <MenuDismissal />
      <LiveBanner />
      <LiveOrders />
      <SharedSaved />
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

/** Shares the watchlist, the address book and preferences with the owner's other devices. */
function SharedSaved() {
  const api = useFullClient();
  const { session } = useVisitor();
  const owner = session?.address;
  useEffect(() => {
    if (owner === undefined) return;
    let stop: (() => void) | undefined;
    let hasLeft = false;
    loadPart(() => import('#lib/browser/saved/shareSaved.ts')).then(
      ({ shareSaved }) => {
        if (!hasLeft) stop = shareSaved(api, owner);
      },
      () => undefined,
    );
    return () => {
      hasLeft = true;
      stop?.();
    };
  }, [api, owner]);
  return null;
}

/** Since when live updates have been interrupted; undefined while they arrive. */
const interruptedSince = createStore<number | undefined>(undefined);
liveStatus.subscribe(() => {
  const isInterrupted = liveStatus.get() === 'polling';
  interruptedSince.set(isInterrupted ? (interruptedSince.get() ?? Date.now()) : undefined);
});

/** A short interruption is not worth a message. */
const TIMEOUT_MS = 6_000;

function LiveBanner() {
  const isOnline = useOnline();
  const since = useStore(interruptedSince, undefined);
  if (!isOnline || since === undefined) return null;
  const place = document.getElementById(LIVE_BANNER_ID);
  return place && createPortal(<Interrupted since={since} />, place);
}

function Interrupted({ since }: { since: number }) {
  const now = useNow() ?? 0;
  if (now - since <= TIMEOUT_MS) return null;
  const from = clockTime(new Date(since).toISOString());
  return (
    <p data-interrupted className={`flex ${BANNER}`}>
      <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0" />
      Live updates paused at {from}. Prices refresh every few seconds.
    </p>
  );
}

const OPEN = 'details[name="list-choice"][open]';

/** Closes menus on Escape or a press elsewhere: `details` close only by their summary. */
function MenuDismissal() {
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const menu = document.querySelector<HTMLDetailsElement>(OPEN);
      if (menu && !(target instanceof Node && menu.contains(target))) menu.open = false;
    };
    const onKey = ({ key }: KeyboardEvent) => {
      const menu = document.querySelector<HTMLDetailsElement>(OPEN);
      if (key !== 'Escape' || !menu) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    };
    window.addEventListener('pointerdown', onPress);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('pointerdown', onPress);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  return null;
}
