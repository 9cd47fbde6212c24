'use client';

import { usePathname } from 'next/navigation';
import { PageLink } from '#components/ui/PageLink.tsx';
import { dollars } from '#lib/format/money.ts';
import { redeemableOf } from '#lib/portfolio/positionView.ts';
import { usePositions } from './usePositions.ts';

/** The stream reports transfers; results have to be polled. */
const EVERY_MS = 15_000;

/** Shows in the header of every page that winnings can be redeemed. */
export function PayoutHint() {
  const { positions = [] } = usePositions(EVERY_MS);
  const total = redeemableOf(positions);
  // The portfolio itself shows the details.
  const isThere = usePathname() === '/portfolio';
  if (total === 0n || isThere) return null;
  return (
    <PageLink
      href="/portfolio"
      // On the narrowest screens the balance takes this space; the bell also reports payouts.
      className="flex min-h-9 shrink-0 items-center gap-1 whitespace-nowrap rounded-md bg-yes-soft px-3 font-medium text-13 text-yes max-[22.5rem]:hidden max-md:min-h-11"
    >
      Redeem<span className="nums max-sm:sr-only lg:max-xl:sr-only"> {dollars(total)}</span>
    </PageLink>
  );
}
