import { expect, it } from 'vitest';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { portfolioEntry } from '#lib/portfolio/testing/portfolioEntry.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import { orderNotification, settledNotification } from './texts.ts';

const ID = '0b9e4c0e-3f53-4d4e-9d53-6b1f2a0c1d2e';

function item(part: Partial<FeedItem>, order: Partial<OrderRecord>): FeedItem {
  return {
    ticker: 'RAIN',
    side: 'yes',
    isRedemption: false,
    ...part,
    order: {
      id: ID,
      status: 'completed',
      action: { orderType: 'MarketOrder', order: { orderType: 'BUY', baseQuantity: '3' } },
      filledBaseQuantity: '3',
      quoteAmount: '1.83',
      returnedQuoteAmount: null,
      returnedBaseQuantity: null,
      replacedBy: null,
      ...order,
    },
  } as FeedItem;
}

const sale = {
  orderType: 'MarketOrder',
  order: { orderType: 'SELL', baseQuantity: '3' },
} as OrderRecord['action'];

const withdrawal = (tokenType: 'erc20' | 'erc1155', amount: string) =>
  ({ orderType: 'Withdraw', withdrawal: { tokenType, amount } }) as OrderRecord['action'];

it.each([
  ['a purchase', {}, {}, 'Bought 3 Yes for $1.83'],
  [
    'a part of one',
    {},
    { filledBaseQuantity: '2', returnedQuoteAmount: '0.61' },
    'Bought 2 of 3 Yes for $1.83; the rest was returned',
  ],
  ['a sale', {}, { action: sale }, 'Sold 3 Yes for $1.83'],
  [
    'a payout',
    { isRedemption: true },
    { action: sale, quoteAmount: '3' },
    'Redeemed 3 Yes for $3.00',
  ],
  [
    'a failure',
    { side: 'no' as const },
    { status: 'failed' as const, filledBaseQuantity: null, returnedQuoteAmount: '2' },
    'Buy 3 No failed; $2.00 returned',
  ],
  [
    'a withdrawal',
    { ticker: null, side: null },
    { action: withdrawal('erc20', '25'), filledBaseQuantity: null },
    'Withdrawal of $25.00 sent',
  ],
  [
    'a withdrawal of contracts that failed',
    {},
    { action: withdrawal('erc1155', '2'), status: 'failed' as const, returnedBaseQuantity: '2' },
    'Withdrawal 2 Yes failed; 2 contracts returned',
  ],
])('says of %s what the bell says', (_, part, order, title) => {
  expect(orderNotification(item(part, order), { title: 'Rain?', subtitle: 'Yes' })).toEqual({
    title,
    body: 'Rain?',
    path: `/orders/${ID}`,
    tag: `order:${ID}`,
  });
});

it('says nothing of what is under way', () => {
  expect(orderNotification(item({}, { status: 'executing' }), undefined)).toBeUndefined();
});

it('given a text that is too long, cuts the question, not the outcome', () => {
  const market = { title: 'Where does the wind come from? '.repeat(20), subtitle: 'South' };
  expect(orderNotification(item({}, {}), market)?.body).toMatch(/^South · Where .*…$/);
});

it('shortens what is long, by whole letters', () => {
  const notification = orderNotification(item({}, {}), { title: '🌧'.repeat(500), subtitle: '' });
  expect(Array.from(notification?.body ?? '')).toHaveLength(200);
  expect(notification?.body).toMatch(/^🌧+…$/u);
});

function held(payoutDollars: string | null, redeemableAmount: string | null = null) {
  return portfolioEntry({
    item: { amount: '5', redeemableAmount },
    tokenId: '7',
    market: {
      side: 'no',
      name: 'Rain?',
      settledAt: payoutDollars === null ? null : '2026-11-21T12:00:00.000Z',
      payoutDollars,
    },
  });
}

it.each([
  ['what lost', held('0.0000'), 'Your 5 No did not win', '/markets/RAIN'],
  ['what won, before it is paid', held('1.0000'), 'Your 5 No resolved; payout $5.00', '/portfolio'],
  ['what won in part', held('0.2500'), 'Your 5 No resolved; payout $1.25', '/portfolio'],
  ['what is paid', held('1.0000', '5'), 'Your 5 No resolved; $5.00 to redeem', '/portfolio'],
])('says of a holding %s', (_, entry, title, path) => {
  const tag = 'settled:RAIN:no';
  expect(settledNotification(entry)).toEqual({ title, body: 'Rain?', path, tag });
});

it('says nothing of a market that is not decided', () => {
  expect(settledNotification(held(null))).toBeUndefined();
});
