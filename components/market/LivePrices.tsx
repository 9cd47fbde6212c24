'use client';

import dynamic from 'next/dynamic';
import { loadOptionalPart } from '#components/ui/loadPart.ts';

/** Keeps the prices and scores of a list live. It renders nothing, so it loads after the page. */
export const LivePrices = dynamic(
  () => loadOptionalPart(() => import('./PriceFollower.tsx').then((m) => m.PriceFollower)),
  { ssr: false },
);
