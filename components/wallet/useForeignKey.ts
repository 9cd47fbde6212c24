import { useQuery } from '@tanstack/react-query';
import type { Account } from '#lib/api/schemas/account.ts';

/**
 * Whether the account's permission names a session key that this device does not have: another
 * device's, a program's, or one that the browser has evicted.
 */
export function useForeignKey(account: Account | undefined): boolean {
  const owner = account?.owner ?? '';
  const key = account?.grant?.sessionKey?.key;
  const isOurs = useQuery({
    queryKey: ['session-key', owner, key] as const,
    queryFn: async () => {
      const { holdsKey } = await import('#lib/browser/account/deviceKey.ts');
      return await holdsKey(owner, key ?? '');
    },
    enabled: key !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return key !== undefined && isOurs.data === false;
}
