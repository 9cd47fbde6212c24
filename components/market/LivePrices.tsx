'use client';

import dynamic from 'next/dynamic';
import { renderNothing } from '#components/ui/renderNothing.ts';

/** Keeps the prices and scores of a list live. It renders nothing, so it loads after the page. */
export const LivePrices = dynamic(
  () => import('./PriceFollower.tsx').then((m) => m.PriceFollower, renderNothing),
  { ssr: false },
);
