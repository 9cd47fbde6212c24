'use client';

import clsx from 'clsx';
import { Star } from 'lucide-react';
import { toggleWatched, useWatchlist } from '#lib/browser/market/watchlist.ts';

type WatchStarProps = { eventTicker: string; title: string; className?: string };

/** Follows an event, or no longer. */
export function WatchStar({ eventTicker, title, className }: WatchStarProps) {
  const watched = useWatchlist().includes(eventTicker);
  return (
    <button
      type="button"
      aria-pressed={watched}
      aria-label={`Watch ${title}`}
      onClick={() => toggleWatched(eventTicker)}
      className={clsx(
        'grid size-11 place-items-center rounded-md hover:bg-sunken md:size-8',
        watched ? 'text-ink' : 'text-ink-3 hover:text-ink',
        className,
      )}
    >
      <Star aria-hidden className="size-[17px]" fill={watched ? 'currentColor' : 'none'} />
    </button>
  );
}
