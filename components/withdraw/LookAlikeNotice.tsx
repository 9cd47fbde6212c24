'use client';

import { Notice } from '#components/ui/Notice.tsx';
import { entryOf, isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { lookAlikeKnown, useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { sameAddress, shortHex } from '#lib/format/address.ts';

/** Warns of an address that begins and ends like a known one, as in address poisoning. */
export function LookAlikeNotice({ destination, owner }: { destination: string; owner: string }) {
  const book = useAddressBook();
  const similar = isAddress(destination) ? lookAlikeKnown(destination, owner, book) : undefined;
  if (similar === undefined) return null;
  const known = entryOf(book, similar);
  return (
    <div className="mt-2">
      <Notice tone="problem" title="This address looks like one you know but is different" live>
        It starts and ends like {known?.name !== undefined && <bdi>{known.name}, </bdi>}
        {shortHex(similar)}, {wordsFor(sameAddress(similar, owner), known?.sentAtMs)}. Check every
        character: this is a different address.
      </Notice>
    </div>
  );
}

function wordsFor(isOwner: boolean, sentAtMs: number | undefined): string {
  if (isOwner) return 'your own wallet';
  return sentAtMs === undefined ? 'an address you saved' : 'an address you have sent to before';
}
