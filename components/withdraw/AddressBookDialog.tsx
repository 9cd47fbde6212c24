'use client';

import { useId } from 'react';
import { Dialog } from '#components/ui/Dialog.tsx';
import { type BookEntry, recentIn, savedIn } from '#lib/browser/withdraw/addressBook.ts';
import { sameAddress, shortHex } from '#lib/format/address.ts';
import { AddressBookRow } from './AddressBookRow.tsx';
import { type AddressBookRows, useAddressBookRows } from './useAddressBookRows.ts';

type AddressBookDialogProps = {
  owner: string;
  onChoose: (address: string) => void;
  onClose: () => void;
};

/** Choice among the known addresses: named ones first, then other past destinations. */
export function AddressBookDialog({ owner, onChoose, onClose }: AddressBookDialogProps) {
  const rows = useAddressBookRows();
  const saved = savedIn(rows.book);
  const recent = recentIn(rows.book);
  const list = { rows, owner, onChoose };
  return (
    <Dialog title="Address book" onClose={onClose}>
      <div className="grid gap-5">
        {saved.length > 0 && <BookPart title="Saved" entries={saved} {...list} />}
        {recent.length > 0 && <BookPart title="Recent" entries={recent} {...list} />}
        {rows.book.length === 0 && (
          <p className="text-ink-2">
            No saved addresses. Addresses you withdraw to appear here, and you can save any address
            under a name.
          </p>
        )}
        <p className="text-13 text-ink-3">Saved in this browser only.</p>
      </div>
      <p role="status" className="sr-only">
        {rows.news}
      </p>
    </Dialog>
  );
}

type BookPartProps = {
  title: string;
  entries: readonly BookEntry[];
  rows: AddressBookRows;
  owner: string;
  onChoose: (address: string) => void;
};

function BookPart({ title, entries, rows, owner, onChoose }: BookPartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="eyebrow mb-1">
        {title}
      </h3>
      <ul className="divide-y border-y" aria-labelledby={id}>
        {entries.map((entry) => (
          <AddressBookRow
            key={entry.address}
            entry={entry}
            title={titleOf(entry, owner)}
            rows={rows}
            onChoose={() => onChoose(entry.address)}
          />
        ))}
      </ul>
    </section>
  );
}

function titleOf({ address, name }: BookEntry, owner: string): string {
  return name ?? (sameAddress(address, owner) ? 'Your own wallet' : shortHex(address));
}
