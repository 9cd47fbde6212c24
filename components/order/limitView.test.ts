import { describe, expect, it } from 'vitest';
import type { OrderRecord, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { filledOf, limitView, partWords, restWords } from './limitView.ts';
import { orderDelayWords, orderSteps, statusWords } from './orderView.ts';
import { boughtOrder, restingOrder } from './testing/orders.ts';

function viewOf(part: Partial<OrderRecord> = {}) {
  const view = limitView({ ...restingOrder, ...part });
  if (!view) throw new Error('The fixture is a limit order.');
  return view;
}
const partly: Partial<OrderRecordWithEvents> = {
  filledBaseQuantity: '12',
  remainingBaseQuantity: '28',
  quoteAmount: '5.2',
  feeQuoteAmount: '0.184',
};

describe('limitView', () => {
  it('given another order, is undefined', () => {
    expect(limitView(boughtOrder)).toBeUndefined();
  });

  it('given an order that rests, says at which price', () => {
    expect(restWords(viewOf())).toBe('Resting at 42¢');
    expect(partWords(viewOf())).toBeUndefined();
    expect(viewOf()).toMatchObject({ aheadContractMicros: 120_000_000n, isEnding: false });
  });

  it('given a fill of a part, says how much at which average before the fee', () => {
    expect(filledOf(viewOf(partly))).toBe('12 of 40');
    expect(partWords(viewOf(partly))).toBe('Partly filled: 12 of 40 Yes at 41.8¢');
    expect(statusWords({ ...restingOrder, ...partly })).toBe('12 of 40 filled');
  });

  it('given an amendment, shows the new size and price', () => {
    const amended = viewOf({ ...partly, limitPrice: '0.41', remainingBaseQuantity: '8' });
    expect(filledOf(amended)).toBe('12 of 20');
    expect(amended.priceMicros).toBe(410_000n);
  });

  it('given a cancellation, says that it ends', () => {
    expect(restWords(viewOf({ endReason: 'cancelled' }))).toBe('Cancelling');
  });
});

describe('an order that rests', () => {
  it('given any time, is not late, and its step is no spinner', () => {
    const later = Date.parse(restingOrder.updatedAt) + 86_400_000;
    expect(orderDelayWords(restingOrder, later)).toBeUndefined();
    const partly = { ...restingOrder, txnFilledAt: '2026-11-21T06:00:00.000Z' };
    for (const order of [restingOrder, partly]) {
      const states = orderSteps(order).map(({ state }) => state);
      expect(states).toEqual(['done', 'done', 'resting', 'waiting']);
    }
  });
});
