'use client';

import { useAmountsHidden } from './hiddenAmounts.ts';

/** An amount of the visitor's, unless they have chosen to hide them. */
export function Amount({ children }: { children: string }) {
  if (!useAmountsHidden()) return children;
  return (
    <>
      <span aria-hidden>••••</span>
      <span className="sr-only">hidden</span>
    </>
  );
}
