import { Bookmark } from 'lucide-react';

/** Filled where the view is kept. */
export function SavedIcon() {
  return <Bookmark aria-hidden className="size-4 group-data-kept:fill-current" />;
}
