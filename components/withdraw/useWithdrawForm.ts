import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useDraft } from '#components/ui/useDraft.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { nameQuery } from '#lib/browser/queries/account.ts';
import { createDraft, readFields } from '#lib/browser/storage/draft.ts';
import { entryNamed, entryOf, isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import {
  currentAsset,
  destinationProblem,
  isName,
  sameAsset,
  type WithdrawAsset,
  withdrawAmountMicros,
  withdrawProblem,
} from '#lib/browser/withdraw/withdrawState.ts';
import { sameAddress } from '#lib/format/address.ts';

/** The withdrawable assets; cash is always the first. */
export type WithdrawAssets = [WithdrawAsset, ...WithdrawAsset[]];

export const withdrawDraft = createDraft('withdraw', (value) =>
  readFields(value, ['asset', 'amountText', 'toText']),
);

const NOTHING_TYPED = { asset: 'usdc', amountText: '', toText: '' };

export type WithdrawFormState = ReturnType<typeof useWithdrawForm>;

export function useWithdrawForm(account: Account, assets: WithdrawAssets) {
  const [typed, change] = useDraft(withdrawDraft, account.owner, NOTHING_TYPED);
  const { amountText, toText } = typed;
  const [chosen, setChosen] = useState(
    () => assets.find((one) => nameOf(one) === typed.asset) ?? assets[0],
  );
  const destination = useDestination(toText);
  const book = useAddressBook();
  const hasFittingCase = useChecksumMatch(destination);
  /** The resolution of a name can change; the address under review cannot. */
  const [reviewed, setReviewed] = useState<string>();
  const asset = currentAsset(assets, chosen);
  const amountMicros = withdrawAmountMicros(amountText);
  const context = {
    amountText,
    destination,
    hasFittingCase,
    asset,
    smartAccount: account.smartAccountAddress,
    contracts: Object.values(account.contracts),
  };
  const problem = withdrawProblem(context);
  const isReviewed = reviewed === destination && !problem && amountMicros !== undefined;
  return {
    asset,
    /** The options, including the chosen asset even if its balance is zero. */
    options: assets.some((one) => sameAsset(one, asset)) ? assets : [...assets, asset],
    /** An amount of one asset says nothing about another. */
    chooseAsset: (next: WithdrawAsset) => {
      if (sameAsset(next, asset)) return;
      setChosen(next);
      change({ asset: nameOf(next), amountText: '' });
    },
    amountText,
    setAmountText: (text: string) => change({ amountText: text }),
    toText,
    setToText: (text: string) => change({ toText: text }),
    destination,
    problem,
    /** Whether the address is a valid destination without a name. */
    canSave:
      destinationProblem(context) === undefined &&
      !sameAddress(destination, account.owner) &&
      entryOf(book, destination)?.name === undefined,
    isMistyped: destinationProblem(context) === 'destination_checksum',
    review: () => setReviewed(problem ? undefined : destination),
    goBack: () => setReviewed(undefined),
    withdrawal: isReviewed ? { asset, amountMicros, destination } : undefined,
    /** The typed domain name, if one replaces the address. */
    domainName: isName(toText.trim()) ? toText.trim() : undefined,
  };
}

function nameOf(asset: WithdrawAsset): string {
  return asset.kind === 'usdc' ? asset.kind : asset.tokenId;
}

/** The typed address, the address of a domain name, or the saved one with exactly this name. */
function useDestination(text: string): string {
  const { api } = useApp();
  const book = useAddressBook();
  const typed = text.trim();
  const found = useQuery({ ...nameQuery(api, typed), enabled: isName(typed) });
  if (isName(typed)) return found.data?.address ?? typed;
  if (isAddress(typed)) return typed;
  return entryNamed(book, typed)?.address ?? typed;
}

/** Undefined until known. If the hash function does not load, the service rejects a wrong one. */
function useChecksumMatch(address: string): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['fitting-case', address],
    queryFn: async () => {
      const { hasValidChecksum } = await import('#lib/checksum.ts');
      return hasValidChecksum(address);
    },
    enabled: isAddress(address),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
