import { WifiOff } from 'lucide-react';

/** Needs no script, since scripts may not have loaded when the network goes. */
export function OfflineBanner() {
  return (
    <div role="status">
      <p data-testid="offline-banner" className={`hidden offline:flex ${BANNER}`}>
        <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        You are offline. Prices may be outdated; orders you placed are still being processed.
      </p>
    </div>
  );
}

/** The header's last row: always visible, never covering content. */
export const BANNER =
  'items-start justify-center gap-2.5 border-t bg-caution-soft px-4 py-2.5 text-14 text-caution';

export const LIVE_BANNER_ID = 'live-banner';
