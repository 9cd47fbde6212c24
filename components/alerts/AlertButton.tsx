'use client';

import { BellPlus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import type { AlertMarket } from './AlertDialog.tsx';

const AlertDialog = dynamic(
  () => loadOptionalPart(() => import('./AlertDialog.tsx').then((part) => part.AlertDialog)),
  { ssr: false },
);

/** Opens the market's price alerts. */
export function AlertButton({ market }: { market: AlertMarket }) {
  const [isOpen, setIsOpen] = useState(false);
  if (market.status === 'closed' || market.status === 'settled') return null;
  return (
    <>
      <button
        type="button"
        aria-label="Price alerts of this market"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="-my-1.5 -mr-3 grid size-11 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink md:size-8"
      >
        <BellPlus aria-hidden className="size-[18px]" strokeWidth={1.75} />
      </button>
      {isOpen && <AlertDialog market={market} onClose={() => setIsOpen(false)} />}
    </>
  );
}
