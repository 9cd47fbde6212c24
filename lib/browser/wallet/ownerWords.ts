import { PASSKEY_NAME } from './passkey/connectorName.ts';
import { walletStore } from './walletStore.ts';

/** How pages speak of what the visitor signs with. */
export type OwnerWords = {
  signer: string;
  confirm: string;
  signIn: string;
};

/** Whether a passkey owns the account of the page's visitor, outside React. */
export function isPasskeyPresent(): boolean {
  return walletStore.get().walletName === PASSKEY_NAME;
}

export function ownerWordsOf(isPasskey: boolean): OwnerWords {
  const signer = isPasskey ? 'your passkey' : 'your wallet';
  return {
    signer,
    confirm: `Confirm ${isPasskey ? 'with' : 'in'} ${signer}`,
    signIn: `Sign in with ${signer}`,
  };
}

/** The words for the page's visitor, outside React. */
export const presentOwnerWords = (): OwnerWords => ownerWordsOf(isPasskeyPresent());
