import type { Address } from 'viem';
import type { SignerRole } from './signerDeps.ts';

/** Keys by what they are for, as metrics name them: addresses are no labels. */
export function namedSigners(
  roles: readonly SignerRole[],
): readonly { name: string; address: Address }[] {
  let operators = 0;
  return roles.map(({ account, kinds }) => {
    const { address } = account;
    if (kinds.includes('attest')) return { name: 'attestor', address };
    if (kinds.includes('propose')) return { name: 'resolver', address };
    operators += 1;
    return { name: `operator-${operators}`, address };
  });
}
