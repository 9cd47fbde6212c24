import { expect, test } from 'vitest';
import { crosses, insideOwnLevels, withoutOwnLevels } from './ownLevels.ts';
import { compareRests } from './restingSweep.ts';

const OWN = { bidMicros: 400_000n, askMicros: 600_000n };
const order = (tradeAction: 'buy' | 'sell', side: 'yes' | 'no', limitPriceMicros: bigint) => ({
  tradeAction,
  side,
  limitPriceMicros,
});

test.each([
  ['a purchase of Yes at our offer', order('buy', 'yes', 600_000n), true],
  ['a purchase of Yes below our offer', order('buy', 'yes', 590_000n), false],
  ['a sale of Yes at our bid', order('sell', 'yes', 400_000n), true],
  ['a sale of Yes above our bid', order('sell', 'yes', 410_000n), false],
  ['a purchase of No, which offers Yes at our bid', order('buy', 'no', 600_000n), true],
  ['a purchase of No above our bid', order('buy', 'no', 590_000n), false],
  ['a sale of No, which bids for Yes at our offer', order('sell', 'no', 400_000n), true],
  ['a sale of No below our offer', order('sell', 'no', 410_000n), false],
])('given %s, whether it would meet an order of ours is known', (_, one, isMeeting) => {
  expect(crosses(one, OWN)).toBe(isMeeting);
  expect(crosses(one, {})).toBe(false);
});

test('given our own levels, a price limit is moved inside them, and only then', () => {
  expect(insideOwnLevels(order('buy', 'yes', 0n), 700_000n, OWN)).toBe(599_999n);
  expect(insideOwnLevels(order('buy', 'yes', 0n), 500_000n, OWN)).toBe(500_000n);
  expect(insideOwnLevels(order('sell', 'no', 0n), 100_000n, OWN)).toBe(400_001n);
});

test('given our own levels, the book keeps the levels better than ours', () => {
  const level = (priceMicros: bigint) => ({ priceMicros, contractMicros: 1n });
  const book = {
    ticker: 'RAIN',
    yesBids: [level(450_000n), level(400_000n), level(390_000n)],
    noBids: [level(410_000n), level(400_000n)],
  };
  expect(withoutOwnLevels(book, OWN)).toEqual({
    ticker: 'RAIN',
    yesBids: [level(450_000n)],
    noBids: [level(410_000n)],
  });
  expect(withoutOwnLevels(book, {})).toBe(book);
});

test('given the books and the exchange’s list, only what differs is visited or a stranger', () => {
  const booked = (id: string, filledContractMicros: bigint) => ({
    orderId: `order-${id}`,
    exchangeOrderId: id,
    filledContractMicros,
  });
  const there = (id: string, filledContractMicros: bigint) => ({
    clientOrderId: `cb-${id}`,
    exchangeOrderId: id,
    ticker: 'RAIN',
    filledContractMicros,
    remainingContractMicros: 1n,
    yesPriceMicros: 1n,
    hasEnded: false,
  });
  const unknown = there('unknown', 0n);
  expect(
    compareRests(
      [booked('same', 3n), booked('filled', 3n), booked('ended', 3n)],
      [there('same', 3n), there('filled', 4n), unknown, there('foreign', 0n)],
      (clientOrderId) => clientOrderId !== 'cb-foreign',
    ),
  ).toEqual({ toVisit: ['order-filled', 'order-ended'], strangers: [unknown] });
});
