'use client';

import { useAmountsHidden } from './hiddenAmounts.ts';

/** An amount of the visitor, hidden if they have chosen so. */
export function Amount({ children }: { children: string }) {
  if (!useAmountsHidden()) return children;
  return (
    <>
      <span aria-hidden>••••</span>
      <span className="sr-only">hidden</span>
    </>
  );
}
