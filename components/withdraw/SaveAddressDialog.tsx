'use client';

import { Dialog } from '#components/ui/Dialog.tsx';
import { groupedHex } from '#lib/format/address.ts';
import { LookAlikeNotice } from './LookAlikeNotice.tsx';
import { NameForm } from './NameForm.tsx';

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
