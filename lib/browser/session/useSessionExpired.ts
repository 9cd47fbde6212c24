import { useStore } from '#lib/browser/storage/store.ts';
import { sameAddress } from '#lib/format/address.ts';
import { expiredStore } from './session.ts';

/** Whether the last session of this wallet in this browser expired. */
export function useSessionExpired(address: string | undefined): boolean {
  return sameAddress(useStore(expiredStore, ''), address);
}
