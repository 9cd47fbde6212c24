import { expect, test } from 'vitest';
import { userTransactionOf } from './readFact.ts';

test.each([
  ['0x0', '0x8', { hasFailed: true, confirmations: 3n }],
  ['0x0', '0xa', { hasFailed: true, confirmations: 1n }],
  ['0x1', '0x9', { hasFailed: false, confirmations: 2n }],
] as const)(
  'given a receipt of status %s in block %s and the head at 10, it has %o',
  (status, blockNumber, expected) => {
    expect(userTransactionOf({ status, blockNumber }, 10n)).toEqual(expected);
  },
);
