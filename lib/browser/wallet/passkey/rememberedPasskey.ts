import type { Address } from 'viem';
import type { PublicKey } from '#lib/passkey/passkeyWallet.ts';

/** The id of the connector, as wagmi knows it. */
export const PASSKEY_CONNECTOR = 'crossbook.passkey';
export const PASSKEY_NAME = 'Passkey';

/** A passkey without its secret, which never leaves the authenticator. */
export type Passkey = {
  credentialId: string;
  publicKey: PublicKey;
  /** The wallet that it owns. */
  address: Address;
  /** Whether the service knows its public key, so that other devices find the account. */
  isStored: boolean;
};

const KEY = 'crossbook.passkey';

/** The passkey of this browser's visitor; an unreadable entry is ignored. */
export function rememberedPasskey(): Passkey | undefined {
  const text = localStorage.getItem(KEY);
  if (text === null) return undefined;
  try {
    const { credentialId, publicKey, address, isStored } = JSON.parse(text) as Partial<Passkey>;
    if (!credentialId || !publicKey || !address) return undefined;
    return { credentialId, publicKey, address, isStored: isStored === true };
  } catch {
    return undefined;
  }
}

export function rememberPasskey(passkey: Passkey): void {
  localStorage.setItem(KEY, JSON.stringify(passkey));
}

export function forgetPasskey(): void {
  localStorage.removeItem(KEY);
}
