import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import { isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { sameAddress } from '#lib/format/address.ts';
import { AddOwner } from './AddOwner.tsx';
import { AddressField } from './AddressField.tsx';
import { OwnerList } from './OwnerList.tsx';
import { useOwners } from './useOwners.ts';

/** A wallet that owns a passkey's account replaces a lost passkey. */
export function RecoverAccount({ owner }: { owner: string }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string>();
  const found = useOwners(asked);
  const owners = found.data;
  const isOwner = owners?.owners.some(({ address }) => sameAddress(address ?? undefined, owner));
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (isAddress(text.trim())) setAsked(text.trim());
  };
  return (
    <Section
      id="owners-heading"
      title="Recover a passkey account"
      className="sheet p-5"
      headClassName=""
    >
      <p className="mt-1 mb-4 text-14 text-ink-2">
        If this wallet is an owner of an account whose passkey is lost, it can add a new passkey.
      </p>
      <form className="flex flex-wrap items-end gap-2" onSubmit={search}>
        <div className="min-w-60 flex-1">
          <AddressField label="Address of that account" value={text} onChange={setText} />
        </div>
        <Button type="submit" isBusy={found.isLoading}>
          Find
        </Button>
      </form>
      <div className="mt-4 grid gap-4 empty:mt-0">
        {found.isError && <ErrorNotice error={found.error} />}
        {owners && !isOwner && (
          <Notice tone="caution" live>
            This wallet is not an owner of that account.
          </Notice>
        )}
        {owners && isOwner && (
          <>
            <OwnerList owners={owners} signer={owner} />
            <AddOwner owners={owners} signer={owner} />
            <p className="text-13 text-ink-3">
              Then disconnect this wallet, choose “Continue with a passkey” and “Use a passkey I
              have”.
            </p>
          </>
        )}
      </div>
    </Section>
  );
}
