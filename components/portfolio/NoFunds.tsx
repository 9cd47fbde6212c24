'use client';

import { useSite } from '#components/app/SiteProvider.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';

/** The first step for an account that has never been funded. */
export function NoFunds() {
  const { sandbox } = useSite();
  return (
    <EmptyState
      title="No funds yet"
      link={{
        href: '/deposit',
        label: sandbox ? 'Add test USDC' : 'Deposit USDC',
        tone: 'primary',
      }}
    >
      Deposit USDC to start trading. Your positions appear here with their cost and current value.
    </EmptyState>
  );
}
