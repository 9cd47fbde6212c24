import fc from 'fast-check';
import { parseTransaction, recoverTransactionAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { signAgain } from './recoverTransaction.ts';

const account = privateKeyToAccount(generatePrivateKey());
const wei = fc.bigInt({ min: 1n, max: 10n ** 15n });

test('another version differs from the previous one in its fees alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      wei,
      wei,
      async (nonce, bytes, maxFeePerGas, raised) => {
        const call = {
          type: 'eip1559',
          chainId: 8453,
          nonce,
          to: '0x00000000000000000000000000000000000000a3',
          data: `0x${Buffer.from(bytes).toString('hex')}`,
          gas: 900_000n,
        } as const;
        const fees = { maxFeePerGas, maxPriorityFeePerGas: 1n };
        const first = await account.signTransaction({ ...call, ...fees });
        const more = { maxFeePerGas: maxFeePerGas + raised, maxPriorityFeePerGas: 2n };
        const second = (await signAgain(account, first, more)) as `0x02${string}`;
        const strip = (raw: `0x02${string}`) => {
          const { r: _r, s: _s, v: _v, yParity: _y, ...rest } = parseTransaction(raw);
          return rest;
        };
        expect(strip(second)).toEqual({ ...strip(first as `0x02${string}`), ...more });
        expect(await recoverTransactionAddress({ serializedTransaction: second })).toBe(
          account.address,
        );
      },
    ),
    { numRuns: 30 },
  );
});
