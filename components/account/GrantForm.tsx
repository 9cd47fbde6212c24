'use client';

import { type FormEvent, useId } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useDraft } from '#components/ui/useDraft.ts';
import { useSignGrant } from '#components/wallet/useSetup.ts';
import { GRANT_DAYS, limitsOf, limitsProblem, readLimits } from '#lib/account/grantLimits.ts';
import type { AccountGrant } from '#lib/api/schemas/account.ts';
import { createDraft } from '#lib/draft.ts';

const FIELD =
  'nums h-11 w-full min-w-0 rounded-md border border-line bg-surface px-3 hover:border-line-strong';

export const limitsDraft = createDraft('limits', readLimits);

type GrantFormProps = { owner: string; grant: AccountGrant | null; onDone: () => void };

/** Chooses the limits of the permission and has the wallet sign exactly them. */
export function GrantForm({ owner, grant, onDone }: GrantFormProps) {
  const [limits, change] = useDraft(limitsDraft, owner, limitsOf(grant));
  const sign = useSignGrant();
  const problem = limitsProblem(limits);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) sign.mutate(limits, { onSuccess: onDone });
  };
  return (
    <form className="grid gap-4" onSubmit={submit} aria-label="Limits of the permission">
      <DollarField
        isFirst
        label="At most per order"
        value={limits.maxPerOrder}
        onChange={(maxPerOrder) => change({ maxPerOrder })}
      />
      <DollarField
        label="At most per day"
        value={limits.maxPerDay}
        onChange={(maxPerDay) => change({ maxPerDay })}
      />
      <DollarField
        label="Withdrawals a day"
        value={limits.maxWithdrawPerDay}
        onChange={(maxWithdrawPerDay) => change({ maxWithdrawPerDay })}
      />
      <label className="flex min-h-11 items-center gap-3 text-14">
        <input
          type="checkbox"
          checked={!limits.withdrawAnywhere}
          onChange={(event) => change({ withdrawAnywhere: !event.target.checked })}
        />
        Withdraw to my own wallet only
      </label>
      <label className="grid gap-1.5 text-14">
        <span>For</span>
        <select
          value={limits.validForDays}
          onChange={(event) => change({ validForDays: Number(event.target.value) })}
          className={FIELD}
        >
          {GRANT_DAYS.map((days) => (
            <option key={days} value={days}>
              {days === 1 ? '1 day' : `${days} days`}
            </option>
          ))}
        </select>
      </label>
      {problem && <Notice tone="caution">{problem}</Notice>}
      {sign.isError && (
        <Notice tone="problem" live>
          {sign.error.message}
        </Notice>
      )}
      <div className="grid grid-cols-[auto_1fr] gap-2">
        <Button onClick={onDone} disabled={sign.isPending}>
          Back
        </Button>
        <Button type="submit" tone="primary" disabled={problem !== undefined || sign.isPending}>
          {sign.isPending && <Spinner />}
          Sign these limits
        </Button>
      </div>
    </form>
  );
}

type DollarFieldProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  isFirst?: boolean;
};

function DollarField({ label, value, onChange, isFirst = false }: DollarFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-14">
        {label}, in dollars
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: whoever opened the form begins with it
        autoFocus={isFirst}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={FIELD}
      />
    </div>
  );
}
