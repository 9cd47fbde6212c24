import { type OwnerWords, ownerWordsOf } from './ownerWords.ts';
import { PASSKEY_NAME } from './passkey/connectorName.ts';
import { useWallet } from './wallet.ts';

/** Whether the visitor's account is owned by a passkey, so that pages speak of no wallet. */
export function useIsPasskey(): boolean {
  return useWallet().walletName === PASSKEY_NAME;
}

export function useOwnerWords(): OwnerWords {
  return ownerWordsOf(useIsPasskey());
}
