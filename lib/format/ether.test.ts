import { expect, test } from 'vitest';
import { etherShort } from './ether.ts';

test.each([
  ['0', '0 ETH'],
  ['1.500000000000000000', '1.5 ETH'],
  ['0.019999999999', '0.01999 ETH'],
  ['0.000000000000000001', '<0.00001 ETH'],
])('given %s, shows %s', (decimal, shown) => {
  expect(etherShort(decimal)).toBe(shown);
});
