import { expect, test } from 'vitest';
import type { OrderRecordWithEvents, OrderToSign } from '#lib/api/schemas/order.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { type AmendableOrder, amendSigned } from './amendSigned.ts';
import { orderTypedData } from './orderToSign.ts';
import { secp256k1Signer } from './secp256k1Signer.ts';
import { OtherOrderError } from './signOrder.ts';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const signer = secp256k1Signer(`0x${'5e'.repeat(32)}`);
const CHANGE = { limitPrice: '0.65', baseQuantity: '12' };

const ORDER: AmendableOrder = {
  id: 'resting',
  userAddress: ACCOUNT,
  receiverAddress: ACCOUNT,
  filledBaseQuantity: '3',
  remainingBaseQuantity: '7',
  limitPrice: '0.6',
  action: {
    orderType: 'LimitOrder',
    chainId: 8453,
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: 8453, contractAddress: ACCOUNT },
      },
      baseToken: { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } },
      orderType: 'BUY',
      baseQuantity: '10',
      maxQuoteQuantityIn: '6.2',
      limitPrice: '0.6',
      timeInForce: 'GTC',
      postOnly: false,
      reduceOnly: false,
    },
  },
};

const MESSAGE = {
  account: ACCOUNT,
  receiver: ACCOUNT,
  marketKey: marketKeyOf('RAIN'),
  outcome: 0,
  isBuy: true,
  quantity: '9000000',
  quoteLimit: '6000000',
  expiry: '1800000000',
  clientRef: marketKeyOf('ref'),
  salt: '1',
};

/** A service that prepares this, whose order has filled so much by now. */
function service(prepared: Partial<typeof MESSAGE> | null, filledBaseQuantity = '3') {
  const sent: unknown[] = [];
  const typedData = prepared && orderTypedData(8453, { ...MESSAGE, ...prepared });
  const toSign = { typedData, clientId: 'mine', preparedAt: '2026-11-24T12:00:00.000Z' };
  const fresh = { ...ORDER, filledBaseQuantity } as OrderRecordWithEvents;
  return {
    sent,
    prepareAmendment: async () => toSign as OrderToSign,
    getOrder: async () => fresh,
    amendOrder: async (_id: string, body: unknown) => {
      sent.push(body);
      return { success: true, order: fresh };
    },
  };
}

test('given a change beyond the lock, what is not filled is signed at the new terms', async () => {
  const api = service({});
  await amendSigned(api, signer, ORDER, CHANGE);
  const { preparedAt } = await api.prepareAmendment();
  expect(api.sent).toMatchObject([{ ...CHANGE, clientId: 'mine', signed: { preparedAt } }]);
  const later = service({ quantity: '8000000', quoteLimit: '5300000' }, '4');
  await amendSigned(later, signer, ORDER, CHANGE);
  expect(later.sent).toHaveLength(1);
});

test('given a change within the lock, or no key, nothing is signed', async () => {
  const within = service(null);
  await amendSigned(within, signer, ORDER, CHANGE);
  const keyless = service({});
  await amendSigned(keyless, undefined, ORDER, CHANGE);
  expect([...within.sent, ...keyless.sent]).toEqual([CHANGE, CHANGE]);
});

test.each([
  ['more contracts', { quantity: '12000000' }],
  ['a dearer limit', { quoteLimit: '9900000' }],
  ['another side', { outcome: 1 }],
  ['another receiver', { receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }],
])('given a service that asks for %s, nothing is signed or sent', async (_, change) => {
  const api = service(change);
  await expect(amendSigned(api, signer, ORDER, CHANGE)).rejects.toThrow(OtherOrderError);
  expect(api.sent).toEqual([]);
});
