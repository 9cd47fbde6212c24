import { describe, expect, it } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { clockTime } from '#lib/format/time.ts';
import { orderDelayWords, orderSteps, orderSummary } from './orderView.ts';
import { soldOrder as order } from './testing/soldOrder.ts';

const locked = { balanceValidatedAt: '2026-11-21T05:00:01.000Z' };
const filled = { ...locked, txnFilledAt: '2026-11-21T05:00:02.000Z' };

const states = (part: Partial<OrderRecordWithEvents>) =>
  orderSteps({ ...order, ...part }).map((step) => step.state);

describe('orderSteps', () => {
  it('follows the order from step to step', () => {
    expect(states({})).toEqual(['done', 'current', 'waiting', 'waiting']);
    expect(states({ status: 'validated', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...locked })).toEqual([
      'done',
      'done',
      'current',
      'waiting',
    ]);
    expect(states({ status: 'executing', ...filled })).toEqual(['done', 'done', 'done', 'current']);
    expect(states({ status: 'completed', isComplete: true, ...filled })).toEqual(
      Array(4).fill('done'),
    );
  });

  it('shows where a failed order ended', () => {
    expect(states({ status: 'failed', isComplete: true, ...locked })).toEqual([
      'done',
      'done',
      'failed',
      'waiting',
    ]);
  });

  it('takes the time of completion from the log', () => {
    const events = [{ type: 'completed', at: '2026-11-21T05:00:09.000Z' }];
    const steps = orderSteps({ ...order, status: 'completed', isComplete: true, events });
    expect(steps[3]?.at).toBe('2026-11-21T05:00:09.000Z');
  });
});

it('puts an order into words', () => {
  expect(orderSummary(order)).toEqual({
    verb: 'Sell',
    marketId: 'RAIN',
    side: 'no',
    what: '12.5 No',
  });
});

describe('orderDelayWords', () => {
  const since = Date.parse(order.updatedAt);

  it('says nothing while it goes as usual, or is over', () => {
    expect(orderDelayWords(order, since + 5_000)).toBeUndefined();
    expect(orderDelayWords({ ...order, isComplete: true }, since + 500_000)).toBeUndefined();
  });

  it('tells who is waited for', () => {
    expect(orderDelayWords(order, since + 60_000)).toContain('by itself');
    const unsent = { ...order, source: 'calldata' as const };
    expect(orderDelayWords(unsent, since + 60_000)).toContain('wallet');
    const expiring = { ...unsent, expiresAt: '2026-11-21T05:15:00.000Z' };
    expect(orderDelayWords(expiring, since + 60_000)).toContain(
      `ends by itself at ${clockTime(expiring.expiresAt)}`,
    );
  });
});
