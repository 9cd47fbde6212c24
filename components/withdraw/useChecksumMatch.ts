'use client';

import { useQuery } from '@tanstack/react-query';
import { isAddress } from '#lib/browser/withdraw/addressBook.ts';

/**
 * Whether an address has a valid checksum; undefined until that is known. The hash function loads
 * with the first address; without it the service still rejects an invalid one.
 */
export function useChecksumMatch(address: string): boolean | undefined {
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
