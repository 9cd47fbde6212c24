import {
  createPublicClient,
  custom,
  decodeFunctionData,
  type Hex,
  numberToHex,
  type PublicClient,
  parseTransaction,
  type TransactionSerialized,
} from 'viem';
import { expect, test } from 'vitest';
import { testGasPriceOracleAbi as abi } from '#contracts/abi/testGasPriceOracle.ts';
import { base } from '#lib/chains.ts';
import { GAS_PRICE_ORACLE, paidWei, readDataFee } from './dataFee.ts';

const call = { to: `0x${'12'.repeat(20)}`, data: `0x${'ab'.repeat(500)}`, gas: 700_000n } as const;

test('given a call, Base’s oracle is asked about the whole transaction that would carry it', async () => {
  const asked: { to: Hex; data: Hex }[] = [];
  const client = createPublicClient({
    chain: base,
    transport: custom({
      async request({ params }: { params: [{ to: Hex; data: Hex }] }) {
        asked.push(params[0]);
        return numberToHex(4_321n, { size: 32 });
      },
    }),
  });
  expect(await readDataFee({ id: base.id, client: client as PublicClient }, call)).toBe(4_321n);
  const [question] = asked;
  expect(question?.to).toBe(GAS_PRICE_ORACLE);
  const { args } = decodeFunctionData({ abi, data: question?.data ?? '0x' });
  expect(parseTransaction(args[0] as TransactionSerialized)).toMatchObject({
    ...call,
    chainId: base.id,
    type: 'eip1559',
  });
});

test('given a receipt with a data fee, it is paid beside the gas; without one, the gas alone', () => {
  const receipt = { gasUsed: 1_000n, effectiveGasPrice: 7n };
  expect(paidWei({ ...receipt, l1Fee: '0x64' })).toBe(7_100n);
  expect(paidWei({ ...receipt, l1Fee: null })).toBe(7_000n);
  expect(paidWei(receipt)).toBe(7_000n);
});
