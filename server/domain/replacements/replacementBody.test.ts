import { expect, test } from 'vitest';
import { replacementBody } from './replacementBody.ts';

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TOKENS = {
  quoteToken: { type: 'chain', data: { tokenId: '0', chainId: 8453, contractAddress: OWNER } },
  baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } },
};
const TERMS = {
  ...TOKENS,
  orderType: 'BUY',
  baseQuantity: '10',
  maxQuoteQuantityIn: '3.15',
  limitPrice: '0.3',
  timeInForce: 'GTC',
  postOnly: true,
  reduceOnly: false,
};
const WISH = { limitPriceMicros: 350_000n, contractMicros: 12_000_000n };

function orderOf(terms: object, row: Partial<Parameters<typeof replacementBody>[0]> = {}) {
  return {
    action: { orderType: 'LimitOrder', chainId: 8453, order: { ...TERMS, ...terms } },
    userAddress: OWNER,
    receiverAddress: OWNER,
    filledContractMicros: 4_000_000n,
    triggerPriceMicros: null,
    triggeredAt: null,
    ...row,
  };
}

test('given a partly filled order, its replacement trades the rest of the new size at the new price', () => {
  expect(replacementBody(orderOf({}), WISH)).toEqual({
    orderType: 'LimitOrder',
    chainId: 8453,
    userAddress: OWNER,
    receiverAddress: OWNER,
    includeTokenTransfer: true,
    order: {
      ...TOKENS,
      orderType: 'BUY',
      baseQuantity: '8',
      limitPrice: '0.35',
      timeInForce: 'GTC',
      postOnly: true,
      reduceOnly: false,
    },
  });
});

const STOP = { triggerPrice: '0.4', direction: 'above', triggerSource: 'ask' };

test('given a stop order that waits, its replacement waits for the price as it is now', () => {
  const waiting = orderOf(STOP, { triggerPriceMicros: 450_000n });
  expect(replacementBody(waiting, WISH)?.order).toMatchObject({ ...STOP, triggerPrice: '0.45' });
});

test('given a stop order that was triggered, its replacement does not wait again', () => {
  const triggered = orderOf(STOP, { triggerPriceMicros: 400_000n, triggeredAt: new Date() });
  const { order } = replacementBody(triggered, WISH) ?? {};
  expect(order).toBeDefined();
  expect(Object.keys(STOP).filter((field) => order && field in order)).toEqual([]);
});

test('given an order that has filled the new size, nothing takes its place', () => {
  const filled = orderOf({}, { filledContractMicros: WISH.contractMicros });
  expect(replacementBody(filled, WISH)).toBeUndefined();
});

test('given an order without a limit price, nothing takes its place', () => {
  const action = { orderType: 'MarketOrder', chainId: 8453, order: TERMS };
  expect(replacementBody(orderOf({}, { action }), WISH)).toBeUndefined();
});
