'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Spinner } from '#components/ui/Spinner.tsx';
import { nameQuery } from '#lib/browser/queries/account.ts';
import { entryOf } from '#lib/browser/withdraw/addressBook.ts';
import { useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { isName } from '#lib/browser/withdraw/withdrawState.ts';
import { groupedHex } from '#lib/format/address.ts';
import { EthereumNameNotice } from './EthereumNameNotice.tsx';

/** The address of a name, or the saved name of an address; announced to screen readers. */
export function DestinationFound({ text, destination }: { text: string; destination: string }) {
  const { api } = useApp();
  const found = useQuery({ ...nameQuery(api, text), enabled: isName(text) });
  const saved = entryOf(useAddressBook(), destination);
  return (
    <div role="status" className="grid gap-2 text-13 not-empty:mt-2">
      {isName(text) && found.isPending && (
        <span className="flex items-center gap-2 text-ink-3">
          <Spinner />
          Looking up name…
        </span>
      )}
      {found.data && (
        <span className="wrap-anywhere text-ink-2">
          {found.data.name}
          {saved?.name !== undefined && (
            <>
              , saved as <bdi>{saved.name}</bdi>
            </>
          )}
          <FullAddress address={found.data.address} />
        </span>
      )}
      {!isName(text) && saved?.name !== undefined && (
        <span className="wrap-anywhere text-ink-2">
          <bdi className="font-medium text-ink">{saved.name}</bdi> in your address book
          <FullAddress address={saved.address} />
        </span>
      )}
      <EthereumNameNotice found={isName(text) ? found.data : undefined} />
      {isName(text) && found.isError && <span className="text-no">{found.error.message}</span>}
    </div>
  );
}

function FullAddress({ address }: { address: string }) {
  return <span className="block break-words font-mono">{groupedHex(address)}</span>;
}
