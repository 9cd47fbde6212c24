'use client';

import { Suspense } from 'react';
import { useHydrated } from '#components/ui/clock.ts';
import { onDemand } from '#components/ui/onDemand.ts';
import { renderNothing } from '#components/ui/renderNothing.ts';

const ShareButton = onDemand(() =>
  import('#components/ui/ShareButton.tsx').then((m) => m.ShareButton, renderNothing),
);

/** Passes the page on; its place is kept until the code for it has come. */
export function SharePageButton({ label }: { label: string }) {
  const isHydrated = useHydrated();
  return (
    <span className="-my-1.5 -mr-2 size-11 md:size-8">
      {isHydrated && (
        <Suspense>
          <ShareButton label={label} />
        </Suspense>
      )}
    </span>
  );
}
