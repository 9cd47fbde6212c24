import { Bookmark } from 'lucide-react';

/** Filled if the view is saved. */
export function SavedIcon() {
  return <Bookmark aria-hidden className="size-4 group-data-kept:fill-current" />;
}
