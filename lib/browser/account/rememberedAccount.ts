import { sameAddress } from '#lib/format/address.ts';

const STORAGE_KEY = 'crossbook.account';

/** The smart account of a wallet, which never changes. */
type RememberedAccount = { owner: string; smartAccountAddress: string };

let remembered: RememberedAccount | undefined;

/** Stores the account so that the next visit can request its contents at once. */
export function storeAccount({ owner, smartAccountAddress }: RememberedAccount): void {
  if (rememberedAccount(owner) === smartAccountAddress) return;
  remembered = { owner, smartAccountAddress };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(remembered));
  } catch {
    // Without storage, each visit requests the account first.
  }
}

export function forgetAccount(): void {
  remembered = undefined;
  localStorage.removeItem(STORAGE_KEY);
}

/** The smart account of this wallet, if it was the last one used here. */
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
