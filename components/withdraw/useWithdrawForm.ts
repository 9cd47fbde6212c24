'use client';

import { useState } from 'react';
import type { Account } from '#lib/api/schemas/account.ts';
import { sameAddress } from '#lib/format/address.ts';
import { entryOf } from '#lib/withdraw/addressBook.ts';
import { useAddressBook } from '#lib/withdraw/destinations.ts';
import {
  destinationProblem,
  isName,
  type WithdrawAsset,
  withdrawAmountMicros,
  withdrawProblem,
} from '#lib/withdraw/withdrawState.ts';
import { useDestination } from './useDestination.ts';

/** What can be withdrawn; cash is always the first. */
export type WithdrawAssets = [WithdrawAsset, ...WithdrawAsset[]];

/** What is typed into the form, what it comes to, and whether it is being looked at. */
export function useWithdrawForm(account: Account, assets: WithdrawAssets) {
  const [assetIndex, setAssetIndex] = useState(0);
  const [amountText, setAmountText] = useState('');
  const [toText, setToText] = useState('');
  const destination = useDestination(toText);
  const book = useAddressBook();
  /** Where a name leads to can change; the address that is compared cannot. */
  const [reviewed, setReviewed] = useState<string>();
  const asset = assets[assetIndex] ?? assets[0];
  const amountMicros = withdrawAmountMicros(amountText);
  const context = {
    amountText,
    destination,
    asset,
    owner: account.owner,
    smartAccount: account.smartAccountAddress,
    contracts: Object.values(account.contracts),
  };
  const problem = withdrawProblem(context);
  const permitted = account.grant !== null && account.grant.status !== 'expired';
  const isReviewed = reviewed === destination && !problem && amountMicros !== undefined;
  return {
    asset,
    assetIndex,
    setAssetIndex,
    amountText,
    setAmountText,
    toText,
    setToText,
    destination,
    problem,
    permitted,
    /** Whether the address is one to send to that has no name yet. */
    canSave:
      destinationProblem(context) === undefined &&
      !sameAddress(destination, account.owner) &&
      entryOf(book, destination)?.name === undefined,
    review: () => setReviewed(problem || !permitted ? undefined : destination),
    goBack: () => setReviewed(undefined),
    withdrawal: isReviewed ? { asset, amountMicros, destination } : undefined,
    /** The name of a domain that was typed in place of the address. */
    domainName: isName(toText.trim()) ? toText.trim() : undefined,
  };
}
