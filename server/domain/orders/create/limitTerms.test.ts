import { expect, test } from 'vitest';
import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { throwFirst } from '#server/platform/errors.ts';
import { parseLimitTerms } from './limitTerms.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const TRADING = {
  market: {
    ticker: 'RAIN',
    shard: 0,
    eventTicker: 'WEATHER',
    status: 'open',
    closeAt: NOW,
    priceRanges: [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }],
  },
  fee: { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros: 1_000_000n },
} as const;

const token = { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } } as const;

function terms(
  change: Partial<LimitOrderRequest['order']>,
  trade: { action?: 'buy' | 'sell'; side?: 'yes' | 'no' } = {},
) {
  const { action = 'buy', side = 'yes' } = trade;
  const order: LimitOrderRequest['order'] = {
    quoteToken: token,
    baseToken: token,
    orderType: action === 'buy' ? 'BUY' : 'SELL',
    baseQuantity: '10',
    limitPrice: '0.55',
    timeInForce: 'GTC',
    postOnly: false,
    reduceOnly: false,
    ...change,
  };
  const trading = {
    ...TRADING,
    market: { ...TRADING.market, priceRanges: [...TRADING.market.priceRanges] },
  };
  const contractMicros =
    order.baseQuantity === undefined ? undefined : parseMicros(order.baseQuantity);
  return parseLimitTerms(trading, order, { tradeAction: action, side, contractMicros, now: NOW });
}

function sizedBy(...given: Parameters<typeof terms>) {
  const { sized, problems } = terms(...given);
  throwFirst(problems);
  if (!sized) throw new Error('an order without problems has a size');
  return sized;
}

test.each([
  ['a purchase locks its price and the highest fee', {}, {}, '10', '5.6733'],
  ['a sale brings its price less the highest fee', {}, { action: 'sell' }, '10', '5.3267'],
  [
    'an amount buys what it covers with the fee',
    { baseQuantity: undefined, maxQuoteQuantityIn: '6' },
    {},
    '10.57',
    '5.9967',
  ],
] as const)('%s', (_, change, trade, contracts, quote) => {
  const sized = sizedBy(change, trade);
  expect(formatMicros(sized.contractMicros)).toBe(contracts);
  expect(formatMicros(sized.quoteLimitUsdcMicros)).toBe(quote);
});

test('given GTC, it rests for less than the 90 days of the vault, and the vault waits longer', () => {
  const { restsUntil } = sizedBy({}).limit;
  const days = ((restsUntil?.getTime() ?? 0) - NOW.getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90 - 1 / 24);
});

test.each([
  ['a price between two ticks', { limitPrice: '0.555' }, 'price_not_allowed'],
  ['a price of nothing', { limitPrice: '0' }, 'price_not_allowed'],
  ['a price of a dollar', { limitPrice: '1' }, 'price_not_allowed'],
  ['a quantity between two steps', { baseQuantity: '1.005' }, 'quantity_not_allowed'],
  [
    'an amount that buys less than a step',
    { baseQuantity: undefined, maxQuoteQuantityIn: '0.005' },
    'quantity_not_allowed',
  ],
  ['less than a contract that would rest', { baseQuantity: '0.99' }, 'quantity_not_allowed'],
  [
    'an amount that lets less than a contract rest',
    { baseQuantity: undefined, maxQuoteQuantityIn: '0.5' },
    'quantity_not_allowed',
  ],
  [
    'an end in half a minute',
    { timeInForce: 'GTD', expiresAt: '2026-11-23T12:00:30.000Z' },
    'deadline_not_allowed',
  ],
  [
    'an end beyond 89 days',
    { timeInForce: 'GTD', expiresAt: '2027-02-21T12:00:00.000Z' },
    'deadline_not_allowed',
  ],
] as const)('given %s, it is refused', (_, change, code) => {
  expect(terms(change).problems.map((problem) => problem.code)).toEqual([code]);
});

test('given IOC, it never rests and may be as small as a step', () => {
  const order = { timeInForce: 'IOC', baseQuantity: '0.01' } as const;
  expect(sizedBy(order).limit.restsUntil).toBeNull();
});

test('given several wrong terms, each is named', () => {
  const { problems, sized } = terms({
    limitPrice: '0.555',
    baseQuantity: '1.005',
    timeInForce: 'GTD',
    expiresAt: '2026-11-23T12:00:30.000Z',
  });
  expect(problems.map(({ code }) => code)).toEqual([
    'price_not_allowed',
    'quantity_not_allowed',
    'deadline_not_allowed',
  ]);
  expect(sized).toBeUndefined();
});
