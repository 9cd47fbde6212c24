'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';

/** Replaces content that needs the account when it failed to load. */
export function AccountFailed() {
  const queryClient = useQueryClient();
  const { wallet } = useVisitor();
  const retry = () =>
    queryClient.refetchQueries({ queryKey: accountKeys.detail(wallet.address ?? '') });
  return (
    <EmptyState
      title="Your account could not be loaded"
      action={<Button onClick={() => void retry()}>Try again</Button>}
    >
      Your funds are on chain and not affected.
    </EmptyState>
  );
}
