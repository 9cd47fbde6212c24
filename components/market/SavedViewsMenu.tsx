'use client';

import dynamic from 'next/dynamic';
import { loadPart } from '#components/ui/loadPart.ts';

/** Rendered by the server; its code loads after the list's own. */
export const SavedViewsMenu = dynamic(() =>
  loadPart(() => import('./SavedViews.tsx').then((part) => part.SavedViews)),
);
