'use client';

import dynamic from 'next/dynamic';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#components/ui/Button.tsx';
import { renderNothing } from '#components/ui/renderNothing.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { WITHDRAW_WORDS } from '#lib/browser/withdraw/withdrawState.ts';
import { AmountField, AssetField } from './AmountFields.tsx';
import { type BookDialogKind, DestinationField } from './DestinationField.tsx';
import { useWithdrawForm, type WithdrawAssets } from './useWithdrawForm.ts';
import { WithdrawReview } from './WithdrawReview.tsx';

const AddressBookDialog = dynamic(
  () => import('./AddressBookDialog.tsx').then((m) => m.AddressBookDialog, renderNothing),
  { ssr: false },
);
const SaveAddressDialog = dynamic(
  () => import('./SaveAddressDialog.tsx').then((m) => m.SaveAddressDialog, renderNothing),
  { ssr: false },
);

type WithdrawFormProps = { account: Account; assets: WithdrawAssets };

/** Asset, amount and destination, then the review. */
export function WithdrawForm({ account, assets }: WithdrawFormProps) {
  const form = useWithdrawForm(account, assets);
  const shown = useRef<HTMLElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  /** The whole view changes, so the focus moves with it. */
  const review = () => {
    flushSync(form.review);
    shown.current?.focus();
  };
  const goBack = () => {
    flushSync(form.goBack);
    submitButton.current?.focus();
  };
  if (!form.withdrawal) {
    return (
      <WithdrawFields
        form={form}
        owner={account.owner}
        submitButton={submitButton}
        onReview={review}
      />
    );
  }
  return (
    <WithdrawReview
      ref={shown}
      withdrawal={form.withdrawal}
      name={form.domainName}
      account={account}
      onBack={goBack}
    />
  );
}

type WithdrawFieldsProps = {
  form: ReturnType<typeof useWithdrawForm>;
  owner: string;
  submitButton: RefObject<HTMLButtonElement | null>;
  onReview: () => void;
};

function WithdrawFields({ form, owner, submitButton, onReview }: WithdrawFieldsProps) {
  const [dialog, setDialog] = useState<BookDialogKind>();
  const toField = useRef<HTMLInputElement>(null);
  const { problem, destination } = form;
  const close = () => setDialog(undefined);
  /** An element outside the dialog can take the focus only after the dialog has closed. */
  const goOnWith = (text: string) => {
    flushSync(() => {
      close();
      form.setToText(text);
    });
    toField.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onReview();
  };
  return (
    <>
      <form className="sheet grid grid-cols-1 gap-5 p-5" onSubmit={submit}>
        <AssetField assets={form.options} chosen={form.asset} onChange={form.chooseAsset} />
        <AmountField asset={form.asset} text={form.amountText} onChange={form.setAmountText} />
        <DestinationField
          text={form.toText}
          destination={destination}
          canSave={form.canSave}
          isMistyped={form.isMistyped}
          owner={owner}
          inputRef={toField}
          onChange={form.setToText}
          onOpen={setDialog}
        />
        <Button
          ref={submitButton}
          type="submit"
          size="l"
          tone="primary"
          disabled={problem !== undefined}
          data-testid="withdraw-button"
        >
          {problem ? WITHDRAW_WORDS[problem] : 'Review withdrawal'}
        </Button>
      </form>
      {dialog === 'book' && <AddressBookDialog owner={owner} onChoose={goOnWith} onClose={close} />}
      {dialog === 'save' && (
        <SaveAddressDialog
          address={destination}
          owner={owner}
          onSaved={() => goOnWith(form.toText)}
          onClose={close}
        />
      )}
    </>
  );
}
