'use client';

import {
  useFaucet,
  useSignGrant,
  useSignIn,
  useSwitchNetwork,
} from '#components/wallet/useSetup.ts';
import type { TicketContext } from '#lib/browser/trade/ticketState.ts';

/** The steps before a newcomer's first trade, and the current one. */
export function useTicketSetup() {
  const signIn = useSignIn();
  const signGrant = useSignGrant();
  const faucet = useFaucet();
  const switchNetwork = useSwitchNetwork();
  const busy: TicketContext['busy'] = signGrant.isPending
    ? 'granting'
    : faucet.isPending
      ? 'funding'
      : switchNetwork.isPending
        ? 'signing'
        : 'none';
  const error = signIn.error ?? signGrant.error ?? faucet.error ?? switchNetwork.error;
  return { signIn, signGrant, faucet, switchNetwork, busy, error };
}
