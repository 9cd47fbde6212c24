'use client';

import dynamic from 'next/dynamic';

/** Rendered by the server; its code loads after the list's own. */
export const SavedViewsMenu = dynamic(() =>
  import('./SavedViews.tsx').then((part) => part.SavedViews),
);
