'use client';

import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { GrantWords } from '#components/wallet/GrantWords.tsx';
import { useSignGrant } from '#components/wallet/useSetup.ts';

/** Has the permission signed that a withdrawal needs, without leaving what was typed. */
export function PermitFirst() {
  const signGrant = useSignGrant();
  return (
    <div className="grid gap-3">
      <Notice tone="caution">
        Withdrawals are sent under your trading permission, which your wallet has to sign first.
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
