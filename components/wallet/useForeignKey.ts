import { useQuery } from '@tanstack/react-query';
import type { Account } from '#lib/api/schemas/account.ts';

/**
 * Whether the account's permission names session keys and this device has none of them: another
 * device added itself, or a program, or the browser has evicted the key.
 */
export function useForeignKey(account: Account | undefined): boolean {
  const grant = account?.grant;
  const isOurs = useQuery({
    queryKey: ['session-key', grant?.sessionKey, grant?.sessionKeys],
    queryFn: () =>
      import('#lib/browser/account/deviceKey.ts').then(
        ({ holdsKey }) => !grant || holdsKey(account?.owner ?? '', grant),
      ),
    enabled: Boolean(grant?.sessionKey),
  });
  return isOurs.data === false;
}
