import type { Address } from 'viem';
import type { PublicKey } from '#lib/passkey/passkeyWallet.ts';

/** A passkey without its secret, which never leaves the authenticator. */
export type Passkey = {
  credentialId: string;
  publicKey: PublicKey;
  /** The key that the wallet's address follows from: this one, unless it was added later. */
  firstKey: PublicKey;
  /** The wallet that it owns. */
  address: Address;
  /** As its passkey manager lists it; unknown on a second device. */
  name?: string | undefined;
  /** Whether the service knows its public key, so that other devices find the account. */
  isStored: boolean;
};

const KEY = 'crossbook.passkey';

/** The passkey of this browser's visitor; an unreadable entry is ignored. */
export function rememberedPasskey(): Passkey | undefined {
  const text = localStorage.getItem(KEY);
  if (text === null) return undefined;
  try {
    const passkey = JSON.parse(text) as Partial<Passkey>;
    const { credentialId, publicKey, address, name, isStored } = passkey;
    if (!credentialId || !publicKey || !address) return undefined;
    const firstKey = passkey.firstKey ?? publicKey;
    return { credentialId, publicKey, firstKey, address, name, isStored: isStored === true };
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
