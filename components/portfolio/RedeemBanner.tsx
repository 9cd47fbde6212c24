'use client';

import { ARIA_DISABLED_STYLE, Button, Spinner } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { dollarsExact } from '#lib/format/money.ts';
import { groupOf, type PositionView, redeemableOf } from '#lib/portfolio/positionView.ts';
import { useRedeem } from './useRedeem.ts';

/** The visitor's redeemable payouts, and the button that redeems them. */
export function RedeemBanner({ positions }: { positions: PositionView[] }) {
  const { redeem, isPending, isResting, asksWallet, error } = useRedeem();
  const paying = positions.filter((position) => groupOf(position) === 'redeemable');
  if (paying.length === 0) return null;
  const total = redeemableOf(paying);
  return (
    <section
      aria-label="Payouts"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border-yes-solid border-l-4 bg-yes-soft px-5 py-4"
    >
      <p className="text-15">
        <span className="nums font-semibold text-19">{dollarsExact(total)}</span>{' '}
        {paying.length === 1 ? 'from a position' : `from ${paying.length} positions`} you won
      </p>
      <Button
        tone="yes"
        // A disabled button would lose the focus when it is pressed.
        aria-disabled={isResting}
        className={ARIA_DISABLED_STYLE}
        onClick={() => redeem()}
      >
        {isPending && <Spinner />}
        {asksWallet ? 'Confirm in your wallet' : paying.length === 1 ? 'Redeem' : 'Redeem all'}
      </Button>
      {error && (
        <div className="w-full">
          <Notice tone="problem" live>
            {error.message}
          </Notice>
        </div>
      )}
    </section>
  );
}
