import { describe, expect, test } from 'vitest';
import { formatMicros, MICROS, parseMicros } from '#lib/money.ts';
import type { FeeRule, TradeAction } from '#server/exchange/port.ts';
import { takerFeeMicros } from './feeCharge.ts';

const quadratic: FeeRule = {
  kind: 'quadratic',
  takerRateMicros: 70_000n,
  multiplierMicros: MICROS,
};

function fee(action: TradeAction, contracts: string, price: string, rule: FeeRule = quadratic) {
  const charged = takerFeeMicros(rule, action, parseMicros(contracts), parseMicros(price));
  return charged === undefined ? undefined : formatMicros(charged);
}

describe('takerFeeMicros', () => {
  test.each([
    ['14.11', '0.84', '0.1328'],
    ['9.13', '0.53', '0.1592'],
    ['21.75', '0.17', '0.2149'],
    ['227.27', '0.001', '0.01593'],
    // The published fee table.
    ['100', '0.5', '1.75'],
    ['1', '0.5', '0.0175'],
    ['100', '0.05', '0.3325'],
    ['100', '0.81', '1.0773'],
    ['0.25', '0.81', '0.0027'],
  ])('a buy of %s at %s is charged %s', (contracts, price, charged) => {
    expect(fee('buy', contracts, price)).toBe(charged);
  });

  test('what a buy pays and what a sale brings are whole steps', () => {
    // 0.01 at 0.123 is worth 0.00123 and costs 0.0000755 in fees before rounding.
    expect(fee('buy', '0.01', '0.123')).toBe('0.00017');
    expect(fee('sell', '0.01', '0.123')).toBe('0.00013');
  });

  test('a waived fee leaves only the rounding of the amount', () => {
    expect(fee('buy', '10', '0.5', { kind: 'waived' })).toBe('0');
    expect(fee('buy', '227.27', '0.001', { kind: 'waived' })).toBe('0.00003');
    expect(fee('sell', '227.27', '0.001', { kind: 'waived' })).toBe('0.00007');
  });

  test('an unknown rule has no fee', () => {
    expect(fee('buy', '1', '0.5', { kind: 'unknown', feeType: 'novel' })).toBe(undefined);
  });
});
