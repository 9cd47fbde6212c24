import dynamic from 'next/dynamic';
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#components/ui/Button.tsx';
import { AmountInput } from '#components/ui/Field.tsx';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import {
  amountWords,
  WITHDRAW_WORDS,
  type WithdrawAsset,
} from '#lib/browser/withdraw/withdrawState.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { AssetField } from './AssetField.tsx';
import { type BookDialogKind, DestinationField } from './DestinationField.tsx';
import { useWithdrawForm, type WithdrawAssets, type WithdrawFormState } from './useWithdrawForm.ts';
import { WithdrawReview } from './WithdrawReview.tsx';

const AddressBookDialog = dynamic(
  () => loadOptionalPart(() => import('./AddressBookDialog.tsx').then((m) => m.AddressBookDialog)),
  { ssr: false },
);
const SaveAddressDialog = dynamic(
  () => loadOptionalPart(() => import('./SaveAddressDialog.tsx').then((m) => m.SaveAddressDialog)),
  { ssr: false },
);

export function WithdrawForm({ account, assets }: { account: Account; assets: WithdrawAssets }) {
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
  form: WithdrawFormState;
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
        <DestinationField form={form} owner={owner} inputRef={toField} onOpen={setDialog} />
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

const FIELD =
  'h-12 w-full min-w-0 rounded-md border border-line bg-surface px-4 hover:border-line-strong';

type AmountFieldProps = { asset: WithdrawAsset; text: string; onChange: (text: string) => void };

function AmountField({ asset, text, onChange }: AmountFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4 text-14">
        <label htmlFor={id} className="font-medium">
          Amount
        </label>
        <span className="nums text-right text-13 text-ink-3">
          {amountWords(asset, asset.availableMicros)} available
        </span>
      </div>
      <div className="flex gap-2">
        <AmountInput id={id} value={text} onChange={onChange} className={FIELD} />
        <Button className="h-12" onClick={() => onChange(typedMicros(asset.availableMicros))}>
          Max
        </Button>
      </div>
    </div>
  );
}
