'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { PayoutHint } from '#components/portfolio/PayoutHint.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { orderListQuery } from '#lib/browser/queries/orders.ts';
import { useTitleCount } from './useTitleCount.ts';

/** Orders in progress, available on every page; when there are none, winnings to redeem. */
export function InProgressTray() {
  const { api } = useApp();
  const { wallet, session } = useVisitor();
  const orders = useQuery({
    ...orderListQuery(api, { userAddress: wallet.address, type: 'all' }),
    enabled: session !== undefined,
  });
  const open = orders.data?.orders.filter((order) => !order.isComplete) ?? [];
  const [only] = open;
  useTitleCount(session ? open.length : 0);
  if (!session) return null;
  if (!only) return <PayoutHint />;
  return (
    <PageLink
      href={open.length === 1 ? `/orders/${only.id}` : '/orders'}
      className="flex min-h-9 shrink-0 items-center gap-2 whitespace-nowrap rounded-md bg-sunken px-3 font-medium text-13 max-md:min-h-11"
    >
      <Spinner />
      <span>
        {open.length}
        <span className="max-sm:sr-only"> in progress</span>
      </span>
    </PageLink>
  );
}
