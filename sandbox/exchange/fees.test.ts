import { describe, expect, it } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { roundFee, tradeFeeMicros } from './fees.ts';

const quadratic = { feeType: 'quadratic', multiplierMicros: 1_000_000n };

describe('trade fees', () => {
  it.each([
    ['1', '0.50', '0.0175'],
    ['100', '0.50', '1.75'],
    ['100', '0.05', '0.3325'],
    ['100', '0.81', '1.0773'],
    ['0.25', '0.81', '0.002694'],
    ['14.11', '0.84', '0.132747'],
    ['9.13', '0.53', '0.1592'],
    ['21.75', '0.17', '0.214825'],
    ['16529.55', '0.80', '185.13096'],
    ['3470.45', '0.79', '40.302336'],
  ])('a taker of %s at %s pays %s', (count, price, fee) => {
    expect(tradeFeeMicros(quadratic, true, parseMicros(count), parseMicros(price))).toBe(
      parseMicros(fee),
    );
  });

  it('charges makers only if the series says so', () => {
    const contracts = parseMicros('100');
    const price = parseMicros('0.50');
    const makers = { ...quadratic, feeType: 'quadratic_with_maker_fees' };
    expect(tradeFeeMicros(quadratic, false, contracts, price)).toBe(0n);
    expect(tradeFeeMicros(makers, false, contracts, price)).toBe(parseMicros('0.4375'));
  });
});

describe('the rounding of fees', () => {
  /** Cost per fill, trade fee per fill, what each fill was charged. */
  it.each([
    ['0.055', '0.0085', ['0.015', '0.005', '0.015']],
    ['0.15', '0.0041', ['0.01', '0', '0.01']],
  ])('refunds whole cents left over by fills of %s with a fee of %s', (cost, fee, charged) => {
    let accumulator = 0n;
    const net = charged.map(() => {
      const rounded = roundFee(parseMicros(fee), -parseMicros(cost), accumulator, 10_000n);
      accumulator = rounded.accumulatorMicros;
      return rounded.netFeeMicros;
    });
    expect(net).toEqual(charged.map(parseMicros));
  });

  it.each([
    ['14.11', '0.84', '0.1328'],
    ['9.13', '0.53', '0.1592'],
    ['21.75', '0.17', '0.2149'],
    ['227.27', '0.001', '0.01593'],
  ])('charges a direct member for %s at %s the observed fee', (count, price, fee) => {
    const contracts = parseMicros(count);
    const cash = -((contracts * parseMicros(price)) / 1_000_000n);
    const trade = tradeFeeMicros(quadratic, true, contracts, parseMicros(price));
    expect(roundFee(trade, cash, 0n, 100n).netFeeMicros).toBe(parseMicros(fee));
  });
});
