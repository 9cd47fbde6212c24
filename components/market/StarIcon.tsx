import { Star } from 'lucide-react';

/** Filled if the event is on the watchlist. */
export function StarIcon() {
  return <Star aria-hidden className="size-[17px] group-aria-pressed:fill-current" />;
}
