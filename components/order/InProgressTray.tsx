import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { orderListQuery } from '#lib/browser/queries/orders.ts';
import { dollarsDown } from '#lib/format/money.ts';
import { titleWithCount } from '#lib/format/titleCount.ts';
import { isParked } from '#lib/market/restingOrder.ts';
import { redeemableOf } from '#lib/portfolio/positionView.ts';

/** Orders in progress, available on every page; when there are none, winnings to redeem. */
export function InProgressTray() {
  const { api } = useApp();
  const { wallet, session } = useVisitor();
  const orders = useQuery({
    ...orderListQuery(api, { userAddress: wallet.address, type: 'all' }),
    enabled: session !== undefined,
  });
  const open = orders.data?.orders.filter((order) => !order.isComplete) ?? [];
  // An order may rest or wait for weeks: that is no progress.
  const moving = open.filter((order) => !isParked(order));
  const [only] = moving;
  useTitleCount(session ? moving.length : 0);
  if (!session) return null;
  if (!only) return open.length > 0 ? <RestingHint count={open.length} /> : <PayoutHint />;
  return (
    <PageLink
      href={moving.length === 1 ? `/orders/${only.id}` : '/orders'}
      className="flex min-h-9 shrink-0 items-center gap-2 whitespace-nowrap rounded-md bg-sunken px-3 font-medium text-13 max-md:min-h-11"
    >
      <Spinner />
      <span>
        {moving.length}
        <span className="max-sm:sr-only"> in progress</span>
      </span>
    </PageLink>
  );
}

function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const show = (shown: number) => {
      const wanted = titleWithCount(document.title, shown);
      if (document.title !== wanted) document.title = wanted;
    };
    show(count);
    // Navigation sets a new title.
    const pages = new MutationObserver(() => show(count));
    pages.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      pages.disconnect();
      show(0);
    };
  }, [count]);
}

function RestingHint({ count }: { count: number }) {
  return (
    <PageLink
      href="/portfolio?show=open#holdings"
      className="flex min-h-9 shrink-0 items-center whitespace-nowrap rounded-md bg-sunken px-3 font-medium text-13 max-md:min-h-11"
    >
      {count} open
      <span className="max-sm:sr-only">&nbsp;{count === 1 ? 'order' : 'orders'}</span>
    </PageLink>
  );
}

/** The stream reports transfers; results have to be polled. */
const EVERY_MS = 15_000;

function PayoutHint() {
  const positions = usePositions(EVERY_MS) ?? [];
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
      Redeem<span className="nums max-sm:sr-only lg:max-xl:sr-only"> {dollarsDown(total)}</span>
    </PageLink>
  );
}
