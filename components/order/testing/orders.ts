import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';

export const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const usdc = {
  type: 'chain',
  data: { tokenId: '0', chainId: 8453, contractAddress: ACCOUNT },
} as const;

/** A newly accepted sale of 12.5 No. */
export const soldOrder: OrderRecordWithEvents = {
  id: '0b9e4c0e-3f53-4d4e-9d53-6b1f2a0c1d2e',
  clientId: 'c',
  createdAt: '2026-11-21T05:00:00.000Z',
  action: {
    orderType: 'MarketOrder',
    chainId: 8453,
    order: {
      quoteToken: usdc,
      baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'no' } },
      orderType: 'SELL',
      baseQuantity: '12.5',
      minQuoteQuantityOut: '5',
    },
  },
  status: 'pending',
  balanceValidatedAt: null,
  txnFilledAt: null,
  transactionHash: null,
  trigger: null,
  isComplete: false,
  terminationReason: null,
  source: 'api',
  isRedemption: false,
  accountAddress: ACCOUNT,
  userAddress: ACCOUNT,
  receiverAddress: ACCOUNT,
  filledBaseQuantity: null,
  quoteAmount: null,
  feeQuoteAmount: null,
  returnedQuoteAmount: null,
  returnedBaseQuantity: null,
  expiresAt: null,
  updatedAt: '2026-11-21T05:00:00.000Z',
  limitPrice: null,
  timeInForce: null,
  postOnly: null,
  reduceOnly: null,
  restsUntil: null,
  restingSince: null,
  remainingBaseQuantity: null,
  averagePrice: null,
  deliveredBaseQuantity: null,
  deliveredQuoteAmount: null,
  queueAhead: null,
  endReason: null,
  replacedBy: null,
  events: [],
};

/** A newly accepted purchase of 12.5 Yes for at most 7 dollars. */
export const boughtOrder: OrderRecordWithEvents = {
  ...soldOrder,
  action: {
    orderType: 'MarketOrder',
    chainId: 8453,
    order: {
      quoteToken: usdc,
      baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } },
      orderType: 'BUY',
      baseQuantity: '12.5',
      maxQuoteQuantityIn: '7',
    },
  },
};

/** A purchase of 40 Yes that rests at 42¢. */
export const restingOrder: OrderRecordWithEvents = {
  ...soldOrder,
  action: {
    orderType: 'LimitOrder',
    chainId: 8453,
    order: {
      quoteToken: usdc,
      baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } },
      orderType: 'BUY',
      baseQuantity: '40',
      maxQuoteQuantityIn: '17.4821',
      limitPrice: '0.42',
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
    },
  },
  status: 'executing',
  balanceValidatedAt: '2026-11-21T05:00:01.000Z',
  limitPrice: '0.42',
  timeInForce: 'GTC',
  postOnly: false,
  reduceOnly: false,
  restingSince: '2026-11-21T05:00:02.000Z',
  remainingBaseQuantity: '40',
  queueAhead: '120',
};
