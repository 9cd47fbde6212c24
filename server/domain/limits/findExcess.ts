import type { LimitScope, LimitValues } from './limits.ts';

/** What already counts against the limits of one subject. */
export type Usage = { dayUsdcMicros: bigint; exposureUsdcMicros: bigint; openOrders: number };

export type Excess = {
  scope: LimitScope;
  which: 'order' | 'day' | 'exposure' | 'open';
  limit: bigint;
  left: bigint;
};

/**
 * The first limit that a purchase with this price limit would exceed. Exactly reaching a limit is
 * allowed.
 */
export function findExcess(
  scope: LimitScope,
  limits: LimitValues,
  usage: Usage,
  quoteLimitUsdcMicros: bigint,
): Excess | undefined {
  const checks = [
    { which: 'order', limit: limits.maxOrderUsdcMicros, used: 0n, adds: quoteLimitUsdcMicros },
    {
      which: 'day',
      limit: limits.maxDayUsdcMicros,
      used: usage.dayUsdcMicros,
      adds: quoteLimitUsdcMicros,
    },
    {
      which: 'exposure',
      limit: limits.maxExposureUsdcMicros,
      used: usage.exposureUsdcMicros,
      adds: quoteLimitUsdcMicros,
    },
    {
      which: 'open',
      limit: limits.maxOpenOrders === null ? null : BigInt(limits.maxOpenOrders),
      used: BigInt(usage.openOrders),
      adds: 1n,
    },
  ] as const;
  for (const { which, limit, used, adds } of checks) {
    if (limit === null || used + adds <= limit) continue;
    return { scope, which, limit, left: limit > used ? limit - used : 0n };
  }
  return undefined;
}
