'use client';

import { type FormEvent, useId, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { Account } from '#lib/api/schemas/account.ts';
import { typedMicros } from '#lib/format/typed.ts';
import {
  amountWords,
  isName,
  WITHDRAW_WORDS,
  type WithdrawAsset,
  withdrawAmountMicros,
  withdrawProblem,
} from '#lib/withdraw/withdrawState.ts';
import { DestinationField, useDestination } from './DestinationField.tsx';
import { WithdrawReview } from './WithdrawReview.tsx';

type WithdrawFormProps = { account: Account; assets: [WithdrawAsset, ...WithdrawAsset[]] };

const FIELD =
  'h-12 w-full min-w-0 rounded-md border border-line bg-surface px-4 hover:border-line-strong';

export function WithdrawForm({ account, assets }: WithdrawFormProps) {
  const id = useId();
  const [assetIndex, setAssetIndex] = useState(0);
  const [amountText, setAmountText] = useState('');
  const [toText, setToText] = useState('');
  const destination = useDestination(toText);
  const [reviewing, setReviewing] = useState(false);
  const asset = assets[assetIndex] ?? assets[0];
  const problem = withdrawProblem({
    amountText,
    destination,
    asset,
    owner: account.owner,
    smartAccount: account.smartAccountAddress,
    contracts: Object.values(account.contracts),
  });
  const amountMicros = withdrawAmountMicros(amountText);
  const permitted = account.grant !== null && account.grant.status !== 'expired';
  if (reviewing && !problem && amountMicros !== undefined) {
    return (
      <WithdrawReview
        withdrawal={{ asset, amountMicros, destination }}
        name={isName(toText.trim()) ? toText.trim() : undefined}
        account={account}
        onBack={() => setReviewing(false)}
      />
    );
  }
  const review = (event: FormEvent) => {
    event.preventDefault();
    if (!problem && permitted) setReviewing(true);
  };
  return (
    <form className="sheet grid gap-5 p-5" onSubmit={review}>
      <div className="grid gap-2">
        <label htmlFor={`${id}-asset`} className="font-medium text-[14px]">
          What
        </label>
        <select
          id={`${id}-asset`}
          value={assetIndex}
          onChange={(event) => setAssetIndex(Number(event.target.value))}
          className={FIELD}
        >
          {assets.map((option, index) => (
            <option key={option.kind === 'usdc' ? 'usdc' : option.tokenId} value={index}>
              {option.kind === 'usdc' ? 'USDC' : option.name}
            </option>
          ))}
        </select>
      </div>
      <div className="grid gap-2">
        <div className="flex items-baseline justify-between text-[14px]">
          <label htmlFor={`${id}-amount`} className="font-medium">
            Amount
          </label>
          <span className="nums text-[13px] text-ink-3">
            {amountWords(asset, asset.availableMicros)} available
          </span>
        </div>
        <div className="flex gap-2">
          <input
            id={`${id}-amount`}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            value={amountText}
            onChange={(event) => setAmountText(event.target.value)}
            className={`nums ${FIELD}`}
          />
          <Button
            className="h-12"
            onClick={() => setAmountText(typedMicros(asset.availableMicros))}
          >
            All
          </Button>
        </div>
      </div>
      <DestinationField text={toText} owner={account.owner} onChange={setToText} />
      {!permitted && (
        <Notice tone="caution">
          Withdrawals are sent under your trading permission. Sign it on the account page first.
        </Notice>
      )}
      <Button
        type="submit"
        size="l"
        tone="primary"
        disabled={problem !== undefined || !permitted}
        data-testid="withdraw-button"
      >
        {problem ? WITHDRAW_WORDS[problem] : 'Review the withdrawal'}
      </Button>
    </form>
  );
}
