'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { AmountInput } from '#components/ui/AmountInput.tsx';
import { ARIA_DISABLED_STYLE } from '#components/ui/ariaDisabledStyle.ts';
import { Button } from '#components/ui/Button.tsx';
import { Cents } from '#components/ui/Cents.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useDraft } from '#components/ui/useDraft.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { DEPOSIT_WORDS, depositAmount } from '#lib/browser/account/depositAmount.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';
import { createDraft, readFields } from '#lib/browser/storage/draft.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';

export const depositDraft = createDraft('deposit', (value) => readFields(value, ['text']));

/** Moves USDC from the connected wallet, without copying an address. */
export function DepositFromWallet({ account }: { account: Account }) {
  const [{ text }, type] = useDraft(depositDraft, account.owner, { text: '' });
  const setText = (typed: string) => type({ text: typed });
  const id = useId();
  const deposit = useDeposit(account, () => setText(''));
  const availableMicros = parseMicros(account.balances.ownerUsdc);
  const amount = depositAmount(text, availableMicros);
  if (availableMicros === 0n && !deposit.isPending) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('micros' in amount && !deposit.isPending) deposit.mutate(amount.micros);
  };
  return (
    <form className="sheet grid gap-4 p-5" onSubmit={submit} aria-label="From your wallet">
      <div>
        <div className="mb-2 flex items-baseline justify-between gap-4 text-14">
          <label htmlFor={id} className="font-medium">
            From your wallet
          </label>
          <span className="nums text-13 text-ink-3">
            <Cents micros={availableMicros} /> USDC available
          </span>
        </div>
        <div className="flex gap-2">
          <AmountInput id={id} value={text} onChange={setText} readOnly={deposit.isPending} />
          <Button
            disabled={deposit.isPending}
            onClick={() => setText(typedMicros(availableMicros))}
          >
            Max
          </Button>
        </div>
      </div>
      <Button
        type="submit"
        size="l"
        tone="primary"
        // A disabled button would lose the focus when it is pressed.
        aria-disabled={deposit.isPending || 'problem' in amount}
        className={ARIA_DISABLED_STYLE}
        data-testid="deposit-button"
      >
        {deposit.isPending && <Spinner />}
        {deposit.isPending
          ? 'Confirm in your wallet'
          : 'problem' in amount
            ? DEPOSIT_WORDS[amount.problem]
            : `Deposit ${dollarsExact(amount.micros)}`}
      </Button>
      {deposit.isError && (
        <Notice tone="problem" live>
          {deposit.error.message}
        </Notice>
      )}
      {Number(account.balances.ownerNative) === 0 && !deposit.isError && (
        <Notice tone="caution" title="No ETH for the network fee">
          Your wallet has no ETH on Base. Add a little ETH first, or send USDC to the address above
          from an exchange or another wallet.
        </Notice>
      )}
      <p className="text-13 text-ink-3">
        Sends USDC to the address above in one transfer. Your wallet pays the network fee in ETH.
      </p>
    </form>
  );
}

/** Sends it from the wallet, on the right network; the list of arrivals reports the result. */
function useDeposit(account: Account, onSent: () => void) {
  const { site } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (micros: bigint) => {
      const [{ engine, ensureOurChain }, { sendCallsInOrder }, { depositCalls }] =
        await Promise.all([
          loadWallet(site),
          import('#lib/browser/wallet/sendCalls.ts'),
          import('#lib/browser/wallet/depositCalls.ts'),
        ]);
      await ensureOurChain(engine);
      const from = account.owner as `0x${string}`;
      const calls = depositCalls(site.contracts.usdc, account, micros);
      await sendCallsInOrder(engine, { from, calls }, () => undefined);
    },
    onSuccess: async () => {
      onSent();
      await queryClient.invalidateQueries({ queryKey: accountKeys.detail(account.owner) });
    },
  });
}
