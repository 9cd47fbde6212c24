'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { accountKeys } from '#lib/api/queries/account.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { loadWallet } from '#lib/wallet/wallet.ts';

/** Takes the permission back on chain, from the owner's own wallet; nobody can prevent it. */
export function RevokeGrant({ account, usable }: { account: Account; usable: boolean }) {
  const { site } = useApp();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => {
      const [{ engine, ensureOurChain }, { sendCallsInOrder }, { revokeCalls }] = await Promise.all(
        [
          loadWallet(site),
          import('#lib/wallet/sendCalls.ts'),
          import('#lib/wallet/revokeCalls.ts'),
        ],
      );
      await ensureOurChain(engine);
      await sendCallsInOrder(engine, revokeCalls(site, account), () => undefined);
      await queryClient.invalidateQueries({ queryKey: accountKeys.all });
    },
  });
  return (
    <>
      {usable && (
        <Button disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          {revoke.isPending && <Spinner />}
          {revoke.isPending ? 'Confirm it in your wallet' : 'Revoke from my wallet'}
        </Button>
      )}
      {revoke.isError && (
        <Notice tone="problem" live>
          {revoke.error.message}
        </Notice>
      )}
      {revoke.isSuccess && (
        <Notice live>
          Revoked on chain.{' '}
          {usable ? 'It may take a few seconds to show here.' : 'Nobody but you can act now.'}
        </Notice>
      )}
    </>
  );
}
