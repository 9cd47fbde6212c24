import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findExcesses } from './usage.ts';

const NONE = {
  maxOrderUsdcMicros: null,
  maxDayUsdcMicros: null,
  maxExposureUsdcMicros: null,
  maxOpenOrders: null,
};
const NOTHING = { dayUsdcMicros: 0n, exposureUsdcMicros: 0n, openOrders: 0 };

describe('findExcesses', () => {
  test('allows an amount that reaches a limit and refuses one micro more', () => {
    const limits = { ...NONE, maxOrderUsdcMicros: 100n };
    expect(findExcesses('key', limits, NOTHING, 100n)).toEqual([]);
    expect(findExcesses('key', limits, NOTHING, 101n)).toEqual([
      { scope: 'key', which: 'order', limit: 100n, left: 100n },
    ]);
  });

  test('counts open orders, including this one', () => {
    const limits = { ...NONE, maxOpenOrders: 2 };
    expect(findExcesses('account', limits, { ...NOTHING, openOrders: 1 }, 5n)).toEqual([]);
    expect(findExcesses('account', limits, { ...NOTHING, openOrders: 2 }, 5n)).toMatchObject([
      { which: 'open', left: 0n },
    ]);
  });

  test('a limit of zero stops every purchase', () => {
    const limits = { ...NONE, maxExposureUsdcMicros: 0n };
    expect(findExcesses('market', limits, NOTHING, 1n)).toMatchObject([{ which: 'exposure' }]);
  });

  test('given several exceeded limits, names each', () => {
    const limits = { maxOrderUsdcMicros: 1n, maxDayUsdcMicros: 1n, maxExposureUsdcMicros: 9n };
    const excesses = findExcesses('key', { ...limits, maxOpenOrders: 0 }, NOTHING, 5n);
    expect(excesses.map(({ which }) => which)).toEqual(['order', 'day', 'open']);
  });

  test('given consecutive purchases, accepted ones never exceed the limit in sum', () => {
    const micros = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(fc.array(micros, { maxLength: 40 }), micros, (limits, cap) => {
        let used = 0n;
        for (const quoteLimit of limits) {
          const usage = { ...NOTHING, dayUsdcMicros: used, exposureUsdcMicros: used };
          const limits = { ...NONE, maxDayUsdcMicros: cap, maxExposureUsdcMicros: cap };
          if (findExcesses('market', limits, usage, quoteLimit).length === 0) used += quoteLimit;
        }
        return used <= cap;
      }),
    );
  });
});
