'use client';

import { ExternalLink } from 'lucide-react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { groupedHex } from '#lib/format/address.ts';

type FullAddressProps = {
  address: string;
  /** "wallet address", for the button that copies it. */
  name: string;
};

/** A full address to compare and copy, with a link to the explorer. */
export function FullAddress({ address, name }: FullAddressProps) {
  const { explorerUrl } = useSite();
  return (
    <div className="flex items-start justify-between gap-3 text-14">
      <div className="min-w-0">
        <p className="text-ink-2">Address</p>
        <p className="mt-0.5 break-words font-mono text-13 leading-6">{groupedHex(address)}</p>
        {explorerUrl && (
          <a
            href={`${explorerUrl}/address/${address}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center gap-1.5 text-13 underline decoration-line-strong underline-offset-4 max-md:min-h-11"
          >
            View on explorer
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        )}
      </div>
      <CopyButton text={address} label={`Copy ${name}`} withWord="Copy" />
    </div>
  );
}
