import { Bookmark, Star } from 'lucide-react';

/** Filled if the event is on the watchlist. */
export function StarIcon() {
  return <Star aria-hidden className="size-[17px] group-aria-pressed:fill-current" />;
}

/** Filled if the view is saved. */
export function SavedIcon() {
  return <Bookmark aria-hidden className="size-4 group-data-kept:fill-current" />;
}
