import { useMutation, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useId, useRef, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { Account } from '#lib/api/schemas/account.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';
import { lacksEther } from '#lib/browser/relay/lacksEther.ts';
import { sendFromOwner } from '#lib/browser/relay/sendFromOwner.ts';
import { useIsPasskey, useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';

/**
 * Revokes the permission on chain, by the owner's signature or from the owner's own wallet; the
 * service cannot prevent it.
 */
export function RevokeGrant({ account, usable }: { account: Account; usable: boolean }) {
  const revoke = useRevoke(account);
  const { reset, isSuccess } = revoke;
  const received = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A message about the previous permission does not apply to a newly signed one.
    if (usable) reset();
  }, [usable, reset]);
  useEffect(() => {
    // The button that had the focus has unmounted. The receipt and the account's new state arrive
    // in either order.
    if (isSuccess && !usable && document.activeElement === document.body) received.current?.focus();
  }, [usable, isSuccess]);
  return (
    <>
      {usable && (
        <RevokeButton
          account={account}
          isPending={revoke.isPending}
          onRevoke={() => revoke.mutate()}
        />
      )}
      <ErrorNotice error={revoke.error} />
      {isSuccess && (
        <div ref={received} tabIndex={-1}>
          <Notice live>
            Revoked on chain.{' '}
            {usable
              ? 'It may take a few seconds to show here.'
              : 'Only you can trade from this account now.'}
          </Notice>
        </div>
      )}
    </>
  );
}

/** The first press explains the consequences, the second one revokes. */
function RevokeButton({
  account,
  isPending,
  onRevoke,
}: {
  account: Account;
  isPending: boolean;
  onRevoke: () => void;
}) {
  const { site } = useApp();
  const words = useOwnerWords();
  const isPasskey = useIsPasskey();
  const [isAsked, setIsAsked] = useState(false);
  const consequence = useId();
  const first = useRef<HTMLButtonElement>(null);
  const keep = () => {
    setIsAsked(false);
    first.current?.focus();
  };
  return (
    <div className="grid gap-3">
      <div role="status">
        {isAsked && (
          <div id={consequence}>
            <Notice tone="caution" title="Revoke the trading permission?">
              Crossbook can no longer place orders or withdrawals for you until you sign a new
              permission. Your funds and positions are not affected.{' '}
              {isPasskey || (site.relays && lacksEther(account))
                ? 'You sign it, and Crossbook pays the network fee.'
                : 'Your wallet sends the transaction and pays the network fee.'}
            </Notice>
          </div>
        )}
      </div>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button
          ref={first}
          tone={isAsked ? 'no' : 'outline'}
          className={clsx('whitespace-normal!', !isAsked && 'border-no-solid! text-no!')}
          aria-describedby={isAsked ? consequence : undefined}
          // A disabled button would lose the focus.
          aria-disabled={isPending}
          onClick={() => {
            if (isPending) return;
            if (isAsked) onRevoke();
            else setIsAsked(true);
          }}
          isBusy={isPending}
        >
          {isPending
            ? words.confirm
            : isAsked
              ? 'Confirm revoke'
              : isPasskey
                ? 'Revoke'
                : 'Revoke from my wallet'}
        </Button>
        {isAsked && !isPending && <Button onClick={keep}>Cancel</Button>}
      </div>
    </div>
  );
}

function useRevoke(account: Account) {
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { revokeCall, revokeCalls } = await import('#lib/browser/wallet/revokeCalls.ts');
      await sendFromOwner({ api, site }, account, {
        calls: revokeCalls(site, account),
        draft: { type: 'batch', calls: [revokeCall(account)] },
      });
      await queryClient.invalidateQueries({ queryKey: accountKeys.all });
    },
  });
}
