import { WifiOff } from 'lucide-react';
import { BANNER } from './bannerStyle.ts';

/**
 * Says that there is no network. It comes with the page and needs none of its scripts: they may not
 * have been loaded when the network goes.
 */
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
