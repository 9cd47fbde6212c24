'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { nameQuery } from '#lib/browser/queries/account.ts';
import { entryNamed, isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { isName } from '#lib/browser/withdraw/withdrawState.ts';

/**
 * The field's destination: the typed address, the service's resolution of a domain name, or the
 * saved address with exactly this name.
 */
export function useDestination(text: string): string {
  const { api } = useApp();
  const book = useAddressBook();
  const typed = text.trim();
  const found = useQuery({ ...nameQuery(api, typed), enabled: isName(typed) });
  if (isName(typed)) return found.data?.address ?? typed;
  if (isAddress(typed)) return typed;
  return entryNamed(book, typed)?.address ?? typed;
}
