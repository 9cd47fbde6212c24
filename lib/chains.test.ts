import { base as knownBase, mainnet as knownMainnet } from 'viem/chains';
import { expect, test } from 'vitest';
import { base, mainnet } from './chains.ts';

test('match the definitions of viem', () => {
  expect(base.id).toBe(knownBase.id);
  expect(base.contracts.multicall3).toEqual(knownBase.contracts.multicall3);
  expect(mainnet.id).toBe(knownMainnet.id);
  expect(mainnet.contracts).toEqual(knownMainnet.contracts);
});
