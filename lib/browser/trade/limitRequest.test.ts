import { expect, test } from 'vitest';
import { limitOrderRequestSchema } from '#lib/api/schemas/limitOrder.ts';
import { orderRequestSchema } from '#lib/api/schemas/order.ts';
import { isPossibleEnd, type LimitDraft, limitRequest, stopMarketRequest } from './limitRequest.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const site = { chainId: 8453, contracts: { usdc: ADDRESS } } as const;
const draft: LimitDraft = {
  ticker: 'RAIN',
  side: 'yes',
  action: 'buy',
  priceMicros: 415_000n,
  size: { unit: 'contracts', micros: 40_000_000n },
  timeInForce: 'GTC',
  endsAtMs: Date.parse('2026-11-24T18:30:00.000Z'),
  isPostOnly: true,
  isReduceOnly: false,
};
const request = (part: Partial<LimitDraft> = {}) =>
  limitRequest(site, { ...draft, ...part }, ADDRESS);

test('given a quantity, asks for it at the price; the service takes the request', () => {
  const { order } = limitOrderRequestSchema.parse(request());
  expect(order).toMatchObject({ baseQuantity: '40', limitPrice: '0.415', postOnly: true });
  expect(order).not.toHaveProperty('expiresAt');
});

test('given an amount, leaves the quantity to the service', () => {
  const { order } = limitOrderRequestSchema.parse(
    request({ size: { unit: 'dollars', micros: 20_000_000n } }),
  );
  expect(order).toMatchObject({ maxQuoteQuantityIn: '20' });
  expect(order).not.toHaveProperty('baseQuantity');
});

test('given an end, sends it; an order that never rests is not post-only', () => {
  expect(request({ timeInForce: 'GTD' }).order.expiresAt).toBe('2026-11-24T18:30:00.000Z');
  const { order } = limitOrderRequestSchema.parse(request({ timeInForce: 'IOC' }));
  expect(order).toMatchObject({ timeInForce: 'IOC', postOnly: false });
});

test('given a trigger, asks for a stop order; the service takes the request', () => {
  const trigger = { priceMicros: 350_000n, direction: 'below', source: 'bid' } as const;
  const { order } = limitOrderRequestSchema.parse(request({ trigger }));
  expect(order).toMatchObject({ triggerPrice: '0.35', direction: 'below', triggerSource: 'bid' });
  expect(request().order).not.toHaveProperty('triggerPrice');
});

test('given a stop order at the market, asks for it within the price limit; the service takes it', () => {
  const stop = {
    ticker: 'RAIN',
    side: 'yes',
    action: 'sell',
    contractMicros: 10_000_000n,
    quoteLimitUsdcMicros: 2_860_000n,
    trigger: { priceMicros: 350_000n, direction: 'below', source: 'bid' },
  } as const;
  const open = stopMarketRequest(site, { ...stop, endsAtMs: undefined }, ADDRESS);
  const { order } = orderRequestSchema.parse(open);
  expect(order).toMatchObject({
    baseQuantity: '10',
    minQuoteQuantityOut: '2.86',
    triggerPrice: '0.35',
    direction: 'below',
    triggerSource: 'bid',
  });
  expect(order).not.toHaveProperty('expiresAt');
  const until = stopMarketRequest(site, { ...stop, endsAtMs: draft.endsAtMs }, ADDRESS);
  expect(orderRequestSchema.parse(until).order.expiresAt).toBe('2026-11-24T18:30:00.000Z');
});

test('an end is possible between a minute and 89 days ahead', () => {
  const now = Date.parse('2026-11-24T12:00:00.000Z');
  expect(isPossibleEnd(now + 30_000, now)).toBe(false);
  expect(isPossibleEnd(now + 60_000, now)).toBe(true);
  expect(isPossibleEnd(now + 90 * 86_400_000, now)).toBe(false);
  expect(isPossibleEnd(Number.NaN, now)).toBe(false);
});
