import { Star } from 'lucide-react';

/** Filled where the event is watched. */
export function StarIcon() {
  return <Star aria-hidden className="size-[17px] group-aria-pressed:fill-current" />;
}
