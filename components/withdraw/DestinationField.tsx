'use client';

import { BookUser } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { FIELD } from '#components/ui/Field.tsx';
import { useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { DestinationFound } from './DestinationFound.tsx';
import { LookAlikeNotice } from './LookAlikeNotice.tsx';

export type BookDialogKind = 'book' | 'save';

type DestinationFieldProps = {
  text: string;
  /** The resolved address, or the text. */
  destination: string;
  /** Whether it is an unnamed address that can be saved. */
  canSave: boolean;
  /** Whether its checksum is invalid. */
  isMistyped: boolean;
  owner: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (text: string) => void;
  onOpen: (dialog: BookDialogKind) => void;
};

/** The destination: an address, a domain name or an entry of the address book. */
export function DestinationField(props: DestinationFieldProps) {
  const { text, destination, canSave, isMistyped, owner, inputRef, onChange, onOpen } = props;
  const id = useId();
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between text-14">
        <label htmlFor={id} className="font-medium">
          To
        </label>
        <button
          type="button"
          className="tap py-1 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
          onClick={() => onChange(owner)}
        >
          My own wallet
        </button>
      </div>
      <input
        id={id}
        ref={inputRef}
        list={`${id}-known`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="0x… address or ENS name"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className={`h-12! font-mono text-14 ${FIELD}`}
      />
      <KnownAddresses id={`${id}-known`} owner={owner} />
      <DestinationFound text={text.trim()} destination={destination} />
      {isMistyped && (
        <p role="status" className="mt-2 text-13 text-no">
          This address has a typo: its checksum does not match. Copy it again.
        </p>
      )}
      <LookAlikeNotice destination={destination} owner={owner} />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="s" aria-haspopup="dialog" onClick={() => onOpen('book')}>
          <BookUser aria-hidden className="size-4" />
          Address book
        </Button>
        {canSave && (
          <Button size="s" aria-haspopup="dialog" onClick={() => onOpen('save')}>
            Save this address
          </Button>
        )}
      </div>
    </div>
  );
}

/** The browser's suggestions while typing. */
function KnownAddresses({ id, owner }: { id: string; owner: string }) {
  const book = useAddressBook();
  return (
    <datalist id={id}>
      <option value={owner} label="My own wallet" />
      {book.map(({ address, name }) => (
        <option key={address} value={address} label={name} />
      ))}
    </datalist>
  );
}
