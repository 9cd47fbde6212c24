import { useQueryClient } from '@tanstack/react-query';
import { LoadFailed } from '#components/ui/LoadStates.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';

export function AccountFailed() {
  const queryClient = useQueryClient();
  const { wallet } = useVisitor();
  const retry = () =>
    queryClient.refetchQueries({ queryKey: accountKeys.detail(wallet.address ?? '') });
  return (
    <LoadFailed title="Your account could not be loaded" retry={retry}>
      Your funds are on chain and not affected.
    </LoadFailed>
  );
}
