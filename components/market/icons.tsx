import { Bookmark, Star } from 'lucide-react';

export function StarIcon() {
  return <Star aria-hidden className="size-[17px] group-aria-pressed:fill-current" />;
}

export function SavedIcon() {
  return <Bookmark aria-hidden className="size-4 group-data-kept:fill-current" />;
}
