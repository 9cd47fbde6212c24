'use client';

import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type AddressBook,
  type Forgotten,
  withRestored,
} from '#lib/browser/withdraw/addressBook.ts';
import {
  forgetAddress,
  restoreAddress,
  useAddressBook,
} from '#lib/browser/withdraw/destinations.ts';
import { sameAddress } from '#lib/format/address.ts';

/** The one row that shows a form instead of its address. */
type OpenRow = { kind: 'naming'; address: string } | { kind: 'forgotten'; dropped: Forgotten };

export type AddressBookRows = {
  /** The rows: the book, plus removed entries that can still be restored. */
  book: AddressBook;
  /** The last action, for screen readers. */
  news: string;
  idOf: (address: string) => string;
  stateOf: (address: string) => OpenRow['kind'] | undefined;
  startNaming: (address: string) => void;
  stopNaming: (address: string, news: string) => void;
  forget: (address: string, title: string) => void;
  takeBack: (title: string) => void;
};

/** The address book as a list whose entries can be named and removed. */
export function useAddressBookRows(): AddressBookRows {
  const id = useId();
  const kept = useAddressBook();
  const [open, setOpen] = useState<OpenRow>();
  const [news, setNews] = useState('');
  const idOf = (address: string) => `${id}${address.toLowerCase()}`;
  /** The pressed button has unmounted; the focus moves to its replacement. */
  const show = (address: string, next: OpenRow | undefined, said: string) => {
    flushSync(() => {
      setOpen(next);
      setNews(said);
    });
    document.getElementById(idOf(address))?.querySelector('button')?.focus();
  };
  return {
    book: open?.kind === 'forgotten' ? withRestored(kept, open.dropped) : kept,
    news,
    idOf,
    stateOf: (address) => {
      if (!open) return undefined;
      const isOf = open.kind === 'naming' ? open.address : open.dropped.entry.address;
      return sameAddress(isOf, address) ? open.kind : undefined;
    },
    startNaming: (address) => {
      setOpen({ kind: 'naming', address });
      setNews('');
    },
    stopNaming: (address, said) => show(address, undefined, said),
    forget: (address, title) => {
      const dropped = forgetAddress(address);
      show(address, dropped && { kind: 'forgotten', dropped }, `${title} removed.`);
    },
    takeBack: (title) => {
      if (open?.kind !== 'forgotten') return;
      restoreAddress(open.dropped);
      show(open.dropped.entry.address, undefined, `${title} restored.`);
    },
  };
}
