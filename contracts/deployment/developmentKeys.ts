import { pbkdf2Sync } from 'node:crypto';
import type { Hex } from 'viem';
import { HDKey, privateKeyToAddress } from 'viem/accounts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const KNOWN_COUNT = 20;

/** One wallet of the mnemonic that every development chain funds. Its key is public. */
export function developmentWallet(index: number): { address: Hex; privateKey: Hex } {
  const key = mnemonicRoot().derive(`m/44'/60'/0'/0/${index}`).privateKey;
  if (!key) throw new Error('the mnemonic gave no private key');
  const privateKey: Hex = `0x${Buffer.from(key).toString('hex')}`;
  return { address: privateKeyToAddress(privateKey), privateKey };
}

/** Those of `addresses` whose private keys are public. */
export function developmentAddressesAmong(addresses: readonly Hex[]): Hex[] {
  const known = knownAddresses();
  return addresses.filter((address) => known.has(address.toLowerCase()));
}

let known: ReadonlySet<string> | undefined;

function knownAddresses(): ReadonlySet<string> {
  known ??= new Set(
    Array.from({ length: KNOWN_COUNT }, (_, index) =>
      developmentWallet(index).address.toLowerCase(),
    ),
  );
  return known;
}

let root: HDKey | undefined;

/** BIP-39 with the native hash, which is a hundred times faster than JavaScript's. */
function mnemonicRoot(): HDKey {
  root ??= HDKey.fromMasterSeed(pbkdf2Sync(MNEMONIC, 'mnemonic', 2_048, 64, 'sha512'));
  return root;
}
