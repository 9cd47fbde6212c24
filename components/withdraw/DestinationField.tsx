'use client';

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { FIELD } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { nameQuery } from '#lib/api/queries/account.ts';
import { groupedHex, shortHex } from '#lib/format/address.ts';
import { lookAlike, useDestinations } from '#lib/withdraw/destinations.ts';
import { isName } from '#lib/withdraw/withdrawState.ts';
import { EthereumNameNotice } from './EthereumNameNotice.tsx';

type DestinationFieldProps = {
  text: string;
  owner: string;
  onChange: (text: string) => void;
};

/** What the field leads to: the address itself, or what the service found for a name. */
export function useDestination(text: string): string {
  const { api } = useApp();
  const name = text.trim();
  const found = useQuery({ ...nameQuery(api, name), enabled: isName(name) });
  if (!isName(name)) return name;
  return found.data?.address ?? name;
}

/** Where to send: an address or a name, with those that were used before. */
export function DestinationField({ text, owner, onChange }: DestinationFieldProps) {
  const id = useId();
  const known = [owner, ...useDestinations()];
  const destination = useDestination(text);
  const similar = destination.startsWith('0x') ? lookAlike(destination, known) : undefined;
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between text-[14px]">
        <label htmlFor={id} className="font-medium">
          To
        </label>
        <button
          type="button"
          className="py-1 text-[13px] text-ink-2 underline underline-offset-4 hover:text-ink"
          onClick={() => onChange(owner)}
        >
          My own wallet
        </button>
      </div>
      <input
        id={id}
        list={`${id}-known`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="0x… or anna.base.eth"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className={`h-12! font-mono text-[14px] ${FIELD}`}
      />
      <datalist id={`${id}-known`}>
        {known.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <Resolution text={text.trim()} />
      {similar && (
        <Notice tone="problem" title="This is not an address you know" live>
          It begins and ends like {shortHex(similar)}, where you have sent before, but it is another
          one. Compare all of it.
        </Notice>
      )}
    </div>
  );
}

function Resolution({ text }: { text: string }) {
  const { api } = useApp();
  const found = useQuery({ ...nameQuery(api, text), enabled: isName(text) });
  if (!isName(text)) return null;
  return (
    <div role="status" className="grid gap-2 text-[13px]">
      {found.isPending && (
        <span className="flex items-center gap-2 text-ink-3">
          <Spinner />
          Looking the name up
        </span>
      )}
      {found.data && (
        <span className="text-ink-2">
          {found.data.name}
          <span className="block break-words font-mono">{groupedHex(found.data.address)}</span>
        </span>
      )}
      <EthereumNameNotice found={found.data} />
      {found.isError && <span className="text-no">{found.error.message}</span>}
    </div>
  );
}
