'use client';

import { WifiOff } from 'lucide-react';
import { useNow } from '#components/ui/clock.ts';
import { useOnline } from '#components/ui/useOnline.ts';
import { clockTime } from '#lib/format/time.ts';
import { liveStatus } from '#lib/live/liveStatus.ts';
import { createStore, useStore } from '#lib/store.ts';

/** Since when changes no longer come by themselves; undefined while they do. */
const interruptedSince = createStore<number | undefined>(undefined);
liveStatus.subscribe(() => {
  const isInterrupted = liveStatus.get() === 'polling';
  interruptedSince.set(isInterrupted ? (interruptedSince.get() ?? Date.now()) : undefined);
});

/** A connection that comes back at once is not worth a word. */
const PATIENCE_MS = 6_000;

/** Says so when what is shown may be old. It lies over the page, so that nothing moves. */
export function LiveBanner() {
  const isOnline = useOnline();
  const since = useStore(interruptedSince, undefined);
  if (isOnline && since === undefined) return <p role="status" className="sr-only" />;
  return <Told isOnline={isOnline} since={since} />;
}

function Told({ isOnline, since }: { isOnline: boolean; since: number | undefined }) {
  const now = useNow() ?? 0;
  const isLong = since !== undefined && now - since > PATIENCE_MS;
  if (isOnline && !isLong) return <p role="status" className="sr-only" />;
  const until = since === undefined ? '' : ` since ${clockTime(new Date(since).toISOString())}`;
  return (
    <p
      role="status"
      data-testid="live-banner"
      className="fixed top-[calc(var(--header-height)+8px)] left-1/2 z-30 flex w-max max-w-[calc(100vw-32px)] -translate-x-1/2 items-center gap-2.5 rounded-md border border-line bg-caution-soft px-4 py-2.5 text-14 text-caution shadow-(--shadow-float)"
    >
      <WifiOff aria-hidden className="size-4 shrink-0" />
      {isOnline
        ? `Live updates are interrupted${until}. Prices are asked for every few seconds.`
        : `You are offline. What you see may be old. Orders that were placed go on.`}
    </p>
  );
}
