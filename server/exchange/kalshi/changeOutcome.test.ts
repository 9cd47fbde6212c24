import { describe, expect, it } from 'vitest';
import { amendOutcome, cancelOutcome } from './changeOutcome.ts';
import type { HttpResponseBody } from './httpClient.ts';

function answered(status: number, body: Record<string, unknown>): HttpResponseBody {
  return { kind: 'answered', status, body, isJson: true, date: undefined };
}

const refusal = (status: number, code: string) => answered(status, { error: { code } });

/** Status and code, then what each change makes of them. */
const REFUSALS = [
  [404, 'not_found', 'not_resting', 'not_resting'],
  [404, '', 'not_resting', 'not_resting'],
  [409, 'order_not_found', 'not_resting', 'not_resting'],
  [400, 'MARKET_NOT_ACTIVE', 'not_resting', 'not_resting'],
  [400, 'market_closed', 'not_resting', 'not_resting'],
  [400, 'invalid_price', 'not_resting', 'refused'],
  [400, 'invalid_order', 'not_resting', 'refused'],
  [409, 'trading_is_paused', 'wait', 'wait'],
  [409, 'exchange_is_paused', 'wait', 'wait'],
  [400, 'insufficient_balance', 'our_fault', 'our_fault'],
  [401, 'header_timestamp_expired', 'our_fault', 'our_fault'],
  [409, 'something_new', 'unknown', 'unknown'],
  [408, '', 'unknown', 'unknown'],
  [500, 'internal_error', 'unknown', 'unknown'],
  [503, 'exchange_is_paused', 'unknown', 'unknown'],
] as const;

describe('cancelOutcome', () => {
  it.each([
    ['3.25', 3_250_000n],
    ['0.00', 0n],
  ])('takes a reduction by %s as cancelled', (reduced_by, cancelledContractMicros) => {
    const cancelled = { kind: 'cancelled', cancelledContractMicros };
    expect(cancelOutcome(answered(200, { order_id: 'o', reduced_by }))).toEqual(cancelled);
    expect(cancelOutcome(answered(200, { order: {}, reduced_by }))).toEqual(cancelled);
  });

  it.each(REFUSALS)('takes %s %s as %s', (status, code, kind) => {
    expect(cancelOutcome(refusal(status, code)).kind).toBe(kind);
  });

  it('given no response or an unreadable one, returns unknown', () => {
    expect(cancelOutcome({ kind: 'unheard', code: 'timeout' }).kind).toBe('unknown');
    expect(cancelOutcome(answered(200, { order_id: 'o' })).kind).toBe('unknown');
  });
});

describe('amendOutcome', () => {
  it('takes an order as amended, whatever it filled', () => {
    expect(amendOutcome(answered(200, { order_id: 'o' }))).toEqual({ kind: 'amended' });
    expect(amendOutcome(answered(200, { order: { order_id: 'o' } }))).toEqual({ kind: 'amended' });
  });

  it.each(REFUSALS)('takes %s %s, of a cancellation %s, as %s', (status, code, _, kind) => {
    expect(amendOutcome(refusal(status, code)).kind).toBe(kind);
  });

  it('names why it was refused', () => {
    expect(amendOutcome(refusal(400, 'invalid_price'))).toMatchObject({
      reason: 'price_not_allowed',
    });
    expect(amendOutcome(refusal(400, 'post_only_cross'))).toMatchObject({
      reason: 'post_only_would_cross',
    });
  });

  it('given no response or an unreadable one, returns unknown', () => {
    expect(amendOutcome({ kind: 'unheard', code: 'not_sent' }).kind).toBe('unknown');
    expect(amendOutcome(answered(200, {})).kind).toBe('unknown');
  });
});
