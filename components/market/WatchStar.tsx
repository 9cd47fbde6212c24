'use client';

import clsx from 'clsx';
import type { ReactNode } from 'react';
import { toggleWatched, useWatchlist } from '#lib/browser/market/watchlist.ts';

type WatchStarProps = {
  eventTicker: string;
  title: string;
  className?: string;
  /** A `StarIcon`, which the server renders where possible. */
  children: ReactNode;
};

export function WatchStar({ eventTicker, title, className, children }: WatchStarProps) {
  const watched = useWatchlist().includes(eventTicker);
  return (
    <button
      type="button"
      aria-pressed={watched}
      aria-label={`Watch ${title}`}
      onClick={() => toggleWatched(eventTicker)}
      className={clsx(
        'group grid size-11 place-items-center rounded-md hover:bg-sunken md:size-8',
        watched ? 'text-ink' : 'text-ink-3 hover:text-ink',
        className,
      )}
    >
      {children}
    </button>
  );
}
