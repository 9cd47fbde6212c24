import type { Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const KNOWN_COUNT = 20;

/** One wallet of the mnemonic that every development chain funds. Its key is public. */
export function developmentWallet(index: number): { address: Hex; privateKey: Hex } {
  const account = mnemonicToAccount(MNEMONIC, { addressIndex: index });
  const key = account.getHdKey().privateKey;
  if (!key) throw new Error('the mnemonic gave no private key');
  return { address: account.address, privateKey: `0x${Buffer.from(key).toString('hex')}` };
}

/** Those of `addresses` whose private keys everybody knows. */
export function developmentAddressesAmong(addresses: readonly Hex[]): Hex[] {
  const known = new Set<string>();
  for (let index = 0; index < KNOWN_COUNT; index += 1) {
    known.add(developmentWallet(index).address.toLowerCase());
  }
  return addresses.filter((address) => known.has(address.toLowerCase()));
}
