'use client';

import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import type { EventView } from '#lib/market/marketView.ts';
import type { ListView } from './listFilter.ts';

export type LiveEventsProps = {
  events: EventView[];
  /** Of what status the listed markets are; undefined when of several. */
  status: MarketStatus | undefined;
  view: ListView;
  renderedAtMs: number;
};

/**
 * Shows the server's list at once, and the same list with moving prices when the code for that
 * has loaded behind it.
 */
export function LiveEvents({ children, ...props }: LiveEventsProps & { children: ReactNode }) {
  const [Moving, setMoving] = useState<ComponentType<LiveEventsProps>>();
  useEffect(() => {
    // Without it the list simply stands still. It is drawn piece by piece, so that typing and
    // scrolling never wait for it.
    void import('./MovingEvents.tsx').then(
      (module) => startTransition(() => setMoving(() => module.MovingEvents)),
      () => undefined,
    );
  }, []);
  return Moving ? <Moving {...props} /> : children;
}
