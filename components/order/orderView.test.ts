import { describe, expect, it } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { clockTime } from '#lib/format/time.ts';
import { isMishap, orderDelayWords, orderSteps, orderSummary, statusWords } from './orderView.ts';
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

describe('statusWords', () => {
  const words = (part: Partial<Parameters<typeof statusWords>[0]>) =>
    statusWords({ status: 'pending', source: 'api', terminationReason: null, ...part });

  it('names who is waited for', () => {
    expect(words({})).toBe('Received');
    expect(words({ source: 'calldata' })).toBe('Waiting for your wallet');
    expect(words({ source: 'calldata', status: 'validated' })).toBe('Funds locked');
  });

  it('has a withdrawal sent, not taken to the exchange', () => {
    expect(words({ status: 'executing' })).toBe('At the exchange');
    expect(words({ status: 'executing', kind: 'withdrawal' })).toBe('Being sent');
    expect(words({ status: 'executing', action: { orderType: 'Withdraw' } })).toBe('Being sent');
  });

  it('tells what was cancelled from what went wrong', () => {
    const cancelled = { status: 'failed', terminationReason: 'cancelled' } as const;
    expect(words(cancelled)).toBe('Cancelled');
    expect(isMishap(cancelled)).toBe(false);
    expect(words({ status: 'failed', terminationReason: 'price_moved' })).toBe('Not carried out');
    expect(isMishap({ status: 'failed', terminationReason: 'price_moved' })).toBe(true);
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
