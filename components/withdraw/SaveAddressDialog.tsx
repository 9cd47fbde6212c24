import { type FormEvent, useId, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { FIELD } from '#components/ui/Field.tsx';
import {
  entryOf,
  NAME_WORDS,
  type NameProblem,
  nameProblem,
} from '#lib/browser/withdraw/addressBook.ts';
import { saveAddress, useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { groupedHex } from '#lib/format/address.ts';
import { LookAlikeNotice } from './DestinationField.tsx';

type SaveAddressDialogProps = {
  address: string;
  owner: string;
  onSaved: () => void;
  onClose: () => void;
};

/** Saves the typed address to the address book, even if it was never used. */
export function SaveAddressDialog({ address, owner, onSaved, onClose }: SaveAddressDialogProps) {
  return (
    <Dialog title="Save this address" onClose={onClose}>
      <p className="mb-4 break-words font-mono text-15 leading-7">{groupedHex(address)}</p>
      <NameForm address={address} label="Save this address" onSaved={onSaved} onCancel={onClose} />
      <LookAlikeNotice destination={address} owner={owner} />
    </Dialog>
  );
}

type NameFormProps = {
  address: string;
  /** Distinguishes several forms on a page. */
  label: string;
  onSaved: () => void;
  onCancel: () => void;
};

export function NameForm({ address, label, onSaved, onCancel }: NameFormProps) {
  const id = useId();
  const book = useAddressBook();
  const [text, setText] = useState(entryOf(book, address)?.name ?? '');
  const [isTried, setIsTried] = useState(false);
  const problem = nameProblem(book, address, text);
  const shown = isTried ? problem : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (problem) return;
    saveAddress(address, text);
    onSaved();
  };
  return (
    <form className="grid gap-3" aria-label={label} noValidate onSubmit={submit}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-14">
          Name
        </label>
        <input
          id={id}
          ref={takeFocus}
          autoComplete="off"
          enterKeyHint="done"
          placeholder="Anna, or My hardware wallet"
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-invalid={shown !== undefined}
          aria-describedby={`${id}-problem`}
          className={FIELD}
        />
        <p
          id={`${id}-problem`}
          role="alert"
          className="wrap-anywhere text-13 text-no empty:-mt-1.5"
        >
          {shown && <ProblemWords problem={shown} />}
        </p>
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary">
          Save
        </Button>
      </div>
    </form>
  );
}

function ProblemWords({ problem }: { problem: NameProblem }) {
  if (problem.kind !== 'taken') return NAME_WORDS[problem.kind];
  return (
    <>
      <bdi>{problem.by.name}</bdi> is already used for
      <span className="block font-mono">{groupedHex(problem.by.address)}</span>
    </>
  );
}

/** In a dialog, the attribute sets the initial focus. */
function takeFocus(field: HTMLInputElement | null): void {
  if (!field) return;
  field.autofocus = true;
  field.focus();
  field.select();
}
