import { recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import { marketKeyOf, outcomeTokenId } from '#lib/outcomeToken.ts';
import { orderTypedData, saltOf } from './orderToSign.ts';
import { secp256k1Signer } from './secp256k1Signer.ts';
import { signOrder } from './signOrder.ts';

const KEY = `0x${'5e'.repeat(32)}` as const;
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const signer = secp256k1Signer(KEY);

const MARKET_BUY: AnyOrderRequestInput = {
  orderType: 'MarketOrder',
  order: {
    quoteToken: { type: 'chain', data: { tokenId: '0', chainId: 8453, contractAddress: OTHER } },
    baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } },
    orderType: 'BUY',
    baseQuantity: '10',
    maxQuoteQuantityIn: '6.2',
  },
  chainId: 8453,
  userAddress: ACCOUNT,
};
const LIMIT_BUY: AnyOrderRequestInput = {
  ...MARKET_BUY,
  orderType: 'LimitOrder',
  order: {
    quoteToken: MARKET_BUY.order.quoteToken,
    baseToken: MARKET_BUY.order.baseToken,
    orderType: 'BUY',
    baseQuantity: '10',
    limitPrice: '0.6',
  },
};
const LIMIT_SALE: AnyOrderRequestInput = {
  ...LIMIT_BUY,
  order: { ...LIMIT_BUY.order, orderType: 'SELL' },
};
const MESSAGE = {
  account: ACCOUNT,
  receiver: ACCOUNT,
  marketKey: marketKeyOf('RAIN'),
  outcome: 0,
  isBuy: true,
  quantity: '10000000',
  quoteLimit: '6200000',
  expiry: '1800000000',
  clientRef: marketKeyOf('ref'),
  salt: '1',
};

const prepare = (change: Partial<typeof MESSAGE>) => ({
  typedData: orderTypedData(8453, { ...MESSAGE, ...change }),
  clientId: 'mine',
  preparedAt: '2026-11-24T12:00:00.000Z',
});

test('given an order as wanted, its signature is the key’s, over an id of the signer’s own', async () => {
  const prepared = prepare({});
  const { signed, clientId } = await signOrder(signer, MARKET_BUY, prepared);
  if (!signed) throw new Error('it is not signed');
  expect(clientId).toBe('mine');
  const { domain, primaryType, types } = prepared.typedData;
  const by = await recoverTypedDataAddress({
    domain,
    types: { Order: types.Order },
    primaryType,
    message: {
      ...MESSAGE,
      account: ACCOUNT,
      receiver: ACCOUNT,
      quantity: BigInt(MESSAGE.quantity),
      quoteLimit: BigInt(MESSAGE.quoteLimit),
      expiry: BigInt(MESSAGE.expiry),
      salt: saltOf(signed.id),
    },
    signature: signed.signature as `0x${string}`,
  });
  expect(by).toBe(privateKeyToAccount(KEY).address);
});

test.each([
  ['a market order', MARKET_BUY, {}],
  ['one with a better limit', MARKET_BUY, { quoteLimit: '6100000' }],
  ['a limit order with its fee', LIMIT_BUY, { quoteLimit: '6168000' }],
  ['a sale less its fee', LIMIT_SALE, { isBuy: false, quoteLimit: '5832000' }],
  [
    'a token by its id',
    {
      ...MARKET_BUY,
      order: {
        ...MARKET_BUY.order,
        baseToken: {
          type: 'chain' as const,
          data: {
            tokenId: outcomeTokenId('RAIN', 'yes').toString(),
            chainId: 8453,
            contractAddress: OTHER,
          },
        },
      },
    },
    {},
  ],
])('given %s, it is signed', async (_, wanted, change) => {
  expect((await signOrder(signer, wanted, prepare(change))).signed).toBeDefined();
});

test.each([
  ['a worse limit', MARKET_BUY, { quoteLimit: '6200001' }],
  ['fewer contracts for it', MARKET_BUY, { quantity: '9990000' }],
  ['the other side', MARKET_BUY, { outcome: 1 }],
  ['another market', MARKET_BUY, { marketKey: marketKeyOf('SNOW') }],
  ['the other direction', MARKET_BUY, { isBuy: false }],
  ['another receiver', MARKET_BUY, { receiver: OTHER }],
  ['a purchase above its price', LIMIT_BUY, { quoteLimit: '6600000' }],
  ['a sale below its price', LIMIT_SALE, { isBuy: false, quoteLimit: '5400000' }],
])('given %s, nothing is signed', async (_, wanted, change) => {
  await expect(signOrder(signer, wanted, prepare(change))).rejects.toThrow(/another order/);
});

test('given nothing to sign, the order goes as it is', async () => {
  const plain = { ...prepare({}), typedData: null };
  expect(await signOrder(signer, MARKET_BUY, plain)).toBe(MARKET_BUY);
});
