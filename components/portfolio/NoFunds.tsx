'use client';

import { useSite } from '#components/app/SiteProvider.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';

/** What an account that never had anything needs first. */
export function NoFunds() {
  const { sandbox } = useSite();
  return (
    <EmptyState
      title="Nothing here yet"
      link={{
        href: '/deposit',
        label: sandbox ? 'Add test USDC' : 'Deposit USDC',
        tone: 'primary',
      }}
    >
      Trading begins with USDC in your smart account. What you buy with it will be listed here, with
      what it cost and what it is worth.
    </EmptyState>
  );
}
