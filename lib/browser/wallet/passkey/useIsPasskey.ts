import { useWallet } from '../wallet.ts';
import { PASSKEY_NAME } from './rememberedPasskey.ts';

/** Whether the visitor's account is owned by a passkey, so that pages speak of no wallet. */
export function useIsPasskey(): boolean {
  return useWallet().walletName === PASSKEY_NAME;
}
