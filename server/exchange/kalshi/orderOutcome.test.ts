import { describe, expect, it } from 'vitest';
import type { HttpResponseBody } from './httpClient.ts';
import { orderOutcome } from './orderOutcome.ts';

function answered(status: number, body: Record<string, unknown>): HttpResponseBody {
  return { kind: 'answered', status, body, isJson: true, date: undefined };
}

describe('orderOutcome', () => {
  it.each([
    [409, 'fill_or_kill_insufficient_resting_volume', 'no_fill'],
    [409, 'immediate_or_cancel_insufficient_resting_volume', 'no_fill'],
    [409, 'order_already_exists', 'unknown'],
    [409, 'trading_is_paused', 'wait'],
    [409, 'exchange_is_paused', 'wait'],
    [409, 'something_new', 'unknown'],
    [400, 'insufficient_balance', 'our_fault'],
    [400, 'invalid_price', 'no_fill'],
    [400, 'invalid_order', 'no_fill'],
    [400, 'MARKET_NOT_ACTIVE', 'no_fill'],
    [400, 'MARKET_INACTIVE', 'no_fill'],
    [404, 'market_not_found', 'no_fill'],
    [401, 'authentication_error', 'our_fault'],
    [410, 'deprecated_v1_order_endpoint', 'our_fault'],
    [200, 'deprecated_v1_order_endpoint', 'our_fault'],
    [500, 'internal_error', 'unknown'],
    [503, 'exchange_is_paused', 'unknown'],
    [504, '', 'unknown'],
  ])('takes %s %s as %s, nested or flat', (status, code, kind) => {
    expect(orderOutcome(answered(status, { error: { code, message: 'm' } })).kind).toBe(kind);
    expect(orderOutcome(answered(status, { code, message: 'm' })).kind).toBe(kind);
  });

  it('reads the plain text of a 429', () => {
    expect(orderOutcome(answered(429, { error: 'too many requests' }))).toEqual({
      kind: 'wait',
      code: 'too_many_requests',
      spent: false,
    });
  });

  it.each([
    ['0.00', 0n],
    ['12.34', 12_340_000n],
  ])('takes a fill count of %s as done', (fillCount, filledContractMicros) => {
    const body = { order_id: 'o', fill_count: fillCount, remaining_count: '0.00', ts_ms: 1 };
    expect(orderOutcome(answered(201, body))).toEqual({
      kind: 'done',
      exchangeOrderId: 'o',
      filledContractMicros,
    });
  });

  it.each([
    ['all of a resting order', '0.00', '5.00', { kind: 'done', restingContractMicros: 5_000_000n }],
    ['what did not fill', '2.00', '3.00', { kind: 'done', restingContractMicros: 3_000_000n }],
    ['nothing', '2.00', '0.00', { kind: 'done', restingContractMicros: 0n }],
  ])('given a resting order, reports that %s rests', (_, fill_count, remaining_count, expected) => {
    const response = answered(201, { order_id: 'o', fill_count, remaining_count });
    expect(orderOutcome(response, { timeInForce: 'resting' })).toMatchObject(expected);
  });

  it.each([
    ['ended on arrival', answered(201, { order_id: 'o', fill_count: '0', remaining_count: '0' })],
    ['was refused', answered(400, { error: { code: 'POST_ONLY_CROSS', message: 'm' } })],
  ])('given a post-only order that %s, reports that it would have crossed', (_, response) => {
    expect(orderOutcome(response, { timeInForce: 'resting', isPostOnly: true })).toMatchObject({
      kind: 'no_fill',
      reason: 'post_only_would_cross',
    });
  });

  it.each([
    ['fill_or_kill_insufficient_resting_volume', 'not_filled_whole'],
    ['SELF_CROSS_ATTEMPT', 'would_self_trade'],
  ])('names the reason of %s', (code, reason) => {
    expect(orderOutcome(answered(409, { code }))).toMatchObject({ kind: 'no_fill', reason });
  });

  it('does not accept a success without an order', () => {
    expect(orderOutcome(answered(201, {})).kind).toBe('unknown');
  });

  it('given no response to an order, returns unknown', () => {
    expect(orderOutcome({ kind: 'unheard', code: 'timeout' })).toEqual({
      kind: 'unknown',
      code: 'timeout',
    });
  });
});
