'use client';

import { type ComponentType, startTransition, useEffect, useState } from 'react';
import { whenIdle } from '#lib/browser/whenIdle.ts';

export type LivePricesProps = { tickers: readonly string[] };

/** Keeps the prices on a list moving, once the page is there and has nothing else to do. */
export function LivePrices(props: LivePricesProps) {
  const [Follower, setFollower] = useState<ComponentType<LivePricesProps>>();
  useEffect(
    () =>
      whenIdle(() => {
        // Without it the list simply stands still.
        import('./PriceFollower.tsx').then(
          (module) => startTransition(() => setFollower(() => module.PriceFollower)),
          () => undefined,
        );
      }),
    [],
  );
  return Follower && <Follower {...props} />;
}
