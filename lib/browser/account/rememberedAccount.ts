import { sameAddress } from '#lib/format/address.ts';

const STORAGE_KEY = 'crossbook.account';

/** Which smart account belongs to a wallet: it never changes. */
type RememberedAccount = { owner: string; smartAccountAddress: string };

let remembered: RememberedAccount | undefined;

/** Keeps what the service said, so that the next visit need not ask before it asks what is in it. */
export function storeAccount({ owner, smartAccountAddress }: RememberedAccount): void {
  if (rememberedAccount(owner) === smartAccountAddress) return;
  remembered = { owner, smartAccountAddress };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(remembered));
  } catch {
    // A browser that keeps nothing asks for it first, each time.
  }
}

export function forgetAccount(): void {
  remembered = undefined;
  localStorage.removeItem(STORAGE_KEY);
}

/** The smart account of this wallet, if it was the last to be here. */
export function rememberedAccount(owner: string | undefined): string | undefined {
  if (owner === undefined) return undefined;
  remembered ??= read();
  return sameAddress(remembered?.owner, owner) ? remembered?.smartAccountAddress : undefined;
}

function read(): RememberedAccount | undefined {
  try {
    const { owner, smartAccountAddress } = JSON.parse(
      localStorage.getItem(STORAGE_KEY) ?? '',
    ) as Record<string, unknown>;
    if (!isAddress(owner) || !isAddress(smartAccountAddress)) return undefined;
    return { owner, smartAccountAddress };
  } catch {
    return undefined;
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
}
