'use client';

import { useQuery } from '@tanstack/react-query';
import { isAddress } from '#lib/browser/withdraw/addressBook.ts';

/**
 * Whether the capitals of an address are a checksum that fits; undefined until that is known. What
 * it takes is loaded with the first address; without it the service still refuses a wrong one.
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
