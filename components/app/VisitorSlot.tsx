'use client';

import dynamic from 'next/dynamic';
import { buttonStyle } from '#components/ui/Button.tsx';

/** Holds the place of the visitor's part of the header until it is loaded. */
export const VisitorSlot = dynamic(
  () => import('./VisitorIsland.tsx').then((m) => m.VisitorIsland),
  {
    ssr: false,
    loading: () => (
      <span aria-hidden className={buttonStyle('outline', 's')}>
        <span className="text-ink-3">Connect</span>
      </span>
    ),
  },
);
