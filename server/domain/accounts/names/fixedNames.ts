import { isAddressEqual } from 'viem';
import type { Config } from '#server/platform/config/config.ts';
import type { NameSource } from './source.ts';

/** Names that the configuration lists: those of the sandbox's wallets. */
export function fixedNames(list: Config['names']['sandbox']): NameSource {
  return {
    resolve: async (name) => {
      const found = list.find((one) => one.name === name);
      return found && { address: found.address, source: 'sandbox' };
    },
    nameOf: async (address) => list.find((one) => isAddressEqual(one.address, address))?.name,
  };
}
