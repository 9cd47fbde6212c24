import { useQuery } from '@tanstack/react-query';
import type { Account } from '#lib/api/schemas/account.ts';

/**
 * Whether the account's permission names a session key that this device does not have: another
 * device's, a program's, or one that the browser has evicted.
 */
export function useForeignKey(account: Account | undefined): boolean {
  const key = account?.grant?.sessionKey?.key;
  const isOurs = useQuery({
    queryKey: ['session-key', key],
    queryFn: () =>
      import('#lib/browser/account/deviceKey.ts').then(({ holdsKey }) =>
        holdsKey(account?.owner ?? '', key ?? ''),
      ),
    enabled: key !== undefined,
  });
  return isOurs.data === false;
}
