'use client';

import dynamic from 'next/dynamic';
import { buttonStyle } from '#components/ui/Button.tsx';
import { nothingInstead } from '#components/ui/partMissing.tsx';

/** Holds the place of the visitor's part of the header until it is loaded. */
export const VisitorSlot = dynamic(
  () => import('./VisitorIsland.tsx').then((m) => m.VisitorIsland, nothingInstead),
  {
    ssr: false,
    loading: () => (
      <span aria-hidden className={buttonStyle('outline', 's')}>
        <span className="text-ink-3">Connect</span>
      </span>
    ),
  },
);
