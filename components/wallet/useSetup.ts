import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { clientOptions, useApp } from '#components/app/useApp.ts';
import { accountKeys, accountQuery } from '#lib/browser/queries/account.ts';
import { useSession } from '#lib/browser/session/session.ts';
import { loadWallet, useWallet } from '#lib/browser/wallet/wallet.ts';
import type { GrantAsked } from './signGrant.ts';

export type Visitor = ReturnType<typeof useVisitor>;

export function useVisitor() {
  const { api, site } = useApp();
  const wallet = useWallet();
  const session = useSession(wallet.address);
  const account = useQuery({
    ...accountQuery(api, wallet.address ?? ''),
    enabled: wallet.address !== undefined,
  });
  return {
    wallet,
    session,
    account: wallet.address === undefined ? undefined : account.data,
    accountFailed: account.isError && !account.data,
    wrongNetwork: wallet.status === 'connected' && wallet.chainId !== site.chainId,
  };
}

export function useSignIn() {
  const app = useApp();
  const { address } = useWallet();
  return useMutation({
    mutationKey: ['sign-in'],
    mutationFn: async () => {
      if (!address) throw new Error('Connect a wallet first.');
      const { signInOnce } = await import('./signIn.ts');
      await signInOnce(app, address);
    },
  });
}

export function useSignGrant() {
  const app = useApp();
  const { address } = useWallet();
  const { account } = useVisitor();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['grant'],
    mutationFn: async (asked: GrantAsked) => {
      if (!address || !account) throw new Error('Connect a wallet first.');
      const { signGrant } = await import('./signGrant.ts');
      await signGrant({ ...app, client: clientOptions(app.site) }, account, asked);
      await queryClient.invalidateQueries({ queryKey: accountKeys.detail(address) });
    },
  });
}

export function useFaucet() {
  const { api } = useApp();
  const { address } = useWallet();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['faucet'],
    mutationFn: async () => {
      if (!address) throw new Error('Connect a wallet first.');
      await api.requestFunds(address);
      await queryClient.invalidateQueries({ queryKey: accountKeys.detail(address) });
    },
  });
}

export function useSwitchNetwork() {
  const { site } = useApp();
  return useMutation({
    mutationKey: ['switch-network'],
    mutationFn: async () => {
      const { engine, switchToOurChain } = await loadWallet(site);
      await switchToOurChain(engine);
    },
  });
}
