import { createBrowserStore, readTexts } from '../browserStore.ts';
import { sameAddress } from '../format/address.ts';
import { useStore } from '../store.ts';

/** Where the visitor has sent before, the last one first. Kept in the browser. */
const NOWHERE: string[] = [];
const MAX_KEPT = 8;
const store = createBrowserStore('crossbook.destinations', NOWHERE, readTexts);

export function useDestinations(): string[] {
  return useStore(store, NOWHERE);
}

export function rememberDestination(address: string): void {
  const others = store.get().filter((one) => !sameAddress(one, address));
  store.set([address, ...others].slice(0, MAX_KEPT));
}

const END = 4;

function looks(address: string): string {
  const hex = address.toLowerCase();
  return `${hex.slice(2, 2 + END)} ${hex.slice(-END)}`;
}

/**
 * A known address that begins and ends like this one without being it: how somebody else's address
 * is slipped into a history.
 */
export function lookAlike(address: string, known: readonly string[]): string | undefined {
  if (known.some((one) => sameAddress(one, address))) return undefined;
  return known.find((one) => looks(one) === looks(address));
}
