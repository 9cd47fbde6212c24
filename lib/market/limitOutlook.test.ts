import { expect, test } from 'vitest';
import { limitOutlook } from './limitOutlook.ts';

const book = {
  yesBids: [{ priceDollars: '0.4200', contracts: 120 }],
  yesAsks: [
    { priceDollars: '0.4400', contracts: 5 },
    { priceDollars: '0.4500', contracts: 30 },
  ],
};
const buy = { side: 'yes', action: 'buy', contractMicros: 20_000_000n } as const;

test('given a price at the best bid, rests behind what is there', () => {
  expect(limitOutlook(book, { ...buy, priceMicros: 420_000n })).toEqual({
    fillsContractMicros: 0n,
    fillsFromMicros: undefined,
    aheadContractMicros: 120_000_000n,
  });
});

test('given a price behind the best bid, counts all that is filled before it', () => {
  const deeper = {
    ...book,
    yesBids: [...book.yesBids, { priceDollars: '0.4100', contracts: 30 }],
  };
  const ahead = (priceMicros: bigint) =>
    limitOutlook(deeper, { ...buy, priceMicros }).aheadContractMicros;
  expect(ahead(410_000n)).toBe(150_000_000n);
  expect(ahead(400_000n)).toBe(150_000_000n);
});

test('given a price inside the spread, is first', () => {
  expect(limitOutlook(book, { ...buy, priceMicros: 430_000n })).toMatchObject({
    fillsContractMicros: 0n,
    aheadContractMicros: 0n,
  });
});

test('given a price that crosses, fills what is offered up to it', () => {
  expect(limitOutlook(book, { ...buy, priceMicros: 440_000n })).toMatchObject({
    fillsContractMicros: 5_000_000n,
    fillsFromMicros: 440_000n,
  });
  expect(limitOutlook(book, { ...buy, priceMicros: 990_000n }).fillsContractMicros).toBe(
    buy.contractMicros,
  );
});

test('given a sale of No, meets the offers of Yes', () => {
  const sale = { side: 'no', action: 'sell', contractMicros: 50_000_000n } as const;
  // 44¢ for Yes is a bid of 56¢ for No.
  expect(limitOutlook(book, { ...sale, priceMicros: 550_000n })).toMatchObject({
    fillsContractMicros: 35_000_000n,
    fillsFromMicros: 560_000n,
  });
});
