'use client';

import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { GrantWords } from '#components/wallet/GrantWords.tsx';
import { useSignGrant, useVisitor } from '#components/wallet/useSetup.ts';

/** Has the permission signed that a withdrawal needs, without leaving what was typed. */
export function PermitFirst() {
  const signGrant = useSignGrant();
  const hasEnded = useVisitor().account?.grant?.status === 'expired';
  return (
    <div className="grid gap-3">
      <Notice tone="caution">
        {hasEnded
          ? 'Your trading permission has ended, and withdrawals are sent under it. Your money is where it was; sign the permission anew to go on.'
          : 'Withdrawals are sent under your trading permission, which your wallet has to sign first.'}
      </Notice>
      <GrantWords />
      <Button disabled={signGrant.isPending} onClick={() => signGrant.mutate(undefined)}>
        {signGrant.isPending && <Spinner />}
        Sign the permission
      </Button>
      {signGrant.isError && (
        <Notice tone="problem" live>
          {signGrant.error.message}
        </Notice>
      )}
    </div>
  );
}
