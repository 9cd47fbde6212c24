'use client';

import { type FormEvent, useEffect, useRef } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { FIELD, Field } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useChosenLimits } from '#components/wallet/chosenLimits.ts';
import { PermissionChoice } from '#components/wallet/PermissionChoice.tsx';
import { useSignGrant } from '#components/wallet/useSetup.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { GRANT_DAYS, limitsProblem } from '#lib/browser/account/grantLimits.ts';

type GrantFormProps = { account: Account; onDone: () => void };

/** Selects the limits of the permission and has the wallet sign exactly them. */
export function GrantForm({ account, onDone }: GrantFormProps) {
  const [limits, change] = useChosenLimits(account);
  const sign = useSignGrant();
  const form = useRef<HTMLFormElement>(null);
  // The button that had the focus has unmounted.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[inputmode]')?.focus(), []);
  const isWrong = limitsProblem(limits) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) sign.mutate({}, { onSuccess: onDone });
  };
  return (
    <form
      ref={form}
      className="grid gap-4"
      onSubmit={submit}
      aria-label="Trading permission limits"
    >
      <PermissionChoice account={account} showsValues>
        <Field label="Valid for">
          {(id) => (
            <select
              id={id}
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
          )}
        </Field>
      </PermissionChoice>
      {sign.isError && (
        <Notice tone="problem" live>
          {sign.error.message}
        </Notice>
      )}
      <div className="grid grid-cols-[auto_1fr] gap-2">
        <Button onClick={onDone} disabled={sign.isPending}>
          Back
        </Button>
        <Button type="submit" tone="primary" disabled={isWrong || sign.isPending}>
          {sign.isPending && <Spinner />}
          Sign limits
        </Button>
      </div>
    </form>
  );
}
