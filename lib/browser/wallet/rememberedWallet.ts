import { REMEMBERED_WALLET_KEY } from '#lib/firstPaintScript.ts';

export type RememberedWallet = { address: `0x${string}`; walletName: string | undefined };

/** The wallet of the last visit; an unreadable entry is ignored. */
export function rememberedWallet(): RememberedWallet | undefined {
  const text = localStorage.getItem(REMEMBERED_WALLET_KEY);
  if (text === null) return undefined;
  const found = parse(text);
  if (!found) forgetWallet();
  return found;
}

function parse(text: string): RememberedWallet | undefined {
  try {
    const { address, walletName } = JSON.parse(text) as Record<string, unknown>;
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
    return {
      address: address as `0x${string}`,
      walletName: typeof walletName === 'string' ? walletName : undefined,
    };
  } catch {
    return undefined;
  }
}

export function rememberWallet(wallet: RememberedWallet): void {
  localStorage.setItem(REMEMBERED_WALLET_KEY, JSON.stringify(wallet));
}

export function forgetWallet(): void {
  localStorage.removeItem(REMEMBERED_WALLET_KEY);
}
