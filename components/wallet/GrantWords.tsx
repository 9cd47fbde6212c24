'use client';

import { Moment } from '#components/ui/Moment.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { dollars } from '#lib/format/money.ts';
import { useGrantOffer } from './useGrantOffer.ts';

/** In a phone's sheet what is signed must not begin below the edge: when it comes, or the sheet opens. */
function keepInSheet(element: HTMLElement | null) {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    // Elsewhere the page is not to move by itself.
    if (element.closest(':modal')) element.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** What the permission to trade allows and what it does not, read from the data to be signed. */
export function GrantWords() {
  const offer = useGrantOffer(true);
  const message = offer.data?.typedData.message;
  if (!message && offer.isError) {
    return (
      <Notice tone="problem">
        What the permission would allow did not load, so there is nothing to sign yet. Reload the
        page to try again.
      </Notice>
    );
  }
  if (!message) return <div className="skeleton h-52" />;
  const limit = (text: string) => dollars(BigInt(text));
  return (
    <section
      ref={keepInSheet}
      aria-label="Trading permission"
      // Two or three lines stand with the sheet's button below it.
      className="scroll-mb-16 rounded-md bg-sunken p-3 text-14"
    >
      <p className="font-medium">You allow Crossbook to</p>
      <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-ink-2 marker:text-ink-3">
        <li>
          place your orders: up to <b className="nums">{limit(message.maxPerOrder)}</b> each and{' '}
          <b className="nums">{limit(message.maxPerDay)}</b> a day
        </li>
        <li>
          send your withdrawals:{' '}
          {message.withdrawAnywhere ? (
            <>
              up to <b className="nums">{limit(message.maxWithdrawPerDay)}</b> a day to an address
              you name
            </>
          ) : (
            'only to your own wallet'
          )}
        </li>
        <li>
          until{' '}
          <Moment at={new Date(Number(message.validUntil) * 1_000).toISOString()} format="date" />
        </li>
      </ul>
      <p className="mt-2 text-13 text-ink-3">
        The account contract enforces these limits. Only your wallet owns the account.
      </p>
    </section>
  );
}
