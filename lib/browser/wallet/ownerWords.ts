import { PASSKEY_NAME } from './passkey/rememberedPasskey.ts';
import { walletStore } from './walletStore.ts';

/** How pages speak of what the visitor signs with. */
export type OwnerWords = {
  signer: string;
  confirm: string;
  signIn: string;
  /** What a sign-in does. */
  proof: string;
};

const WALLET: OwnerWords = {
  signer: 'your wallet',
  confirm: 'Confirm in your wallet',
  signIn: 'Sign in with your wallet',
  proof: 'Sign a message to prove this wallet is yours. It is free and moves no funds.',
};

const PASSKEY: OwnerWords = {
  signer: 'your passkey',
  confirm: 'Confirm with your passkey',
  signIn: 'Sign in with your passkey',
  proof: 'Confirm with your passkey that this account is yours. It is free and moves no funds.',
};

/** Whether a passkey owns the account of the page's visitor, outside React. */
export function isPasskeyPresent(): boolean {
  return walletStore.get().walletName === PASSKEY_NAME;
}

export const ownerWordsOf = (isPasskey: boolean): OwnerWords => (isPasskey ? PASSKEY : WALLET);

/** The words for the page's visitor, outside React. */
export const presentOwnerWords = (): OwnerWords => ownerWordsOf(isPasskeyPresent());
