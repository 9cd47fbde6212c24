'use client';

import { WifiOff } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useNow } from '#components/ui/clock.ts';
import { useOnline } from '#components/ui/useOnline.ts';
import { liveStatus } from '#lib/browser/live/liveStatus.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';
import { clockTime } from '#lib/format/time.ts';
import { BANNER, LIVE_BANNER_ID } from './bannerStyle.ts';

/** Since when live updates have been interrupted; undefined while they arrive. */
const interruptedSince = createStore<number | undefined>(undefined);
liveStatus.subscribe(() => {
  const isInterrupted = liveStatus.get() === 'polling';
  interruptedSince.set(isInterrupted ? (interruptedSince.get() ?? Date.now()) : undefined);
});

/** A short interruption is not worth a message. */
const TIMEOUT_MS = 6_000;

/** Warns that the data may be old although the network is up. */
export function LiveBanner() {
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
