import type { AccountGrant } from '#lib/api/schemas/account.ts';
import { parseMicros } from '#lib/money.ts';

/** The limits that an order requires. */
export type RequiredLimits = { perOrderMicros: bigint; perDayMicros: bigint };

/** Limits for an order under a permission whose daily cap may be partly used. */
export function requiredLimitsOf(grant: AccountGrant, orderMicros: bigint): RequiredLimits {
  const { maxPerDay, leftToday } = grant;
  const usedMicros = leftToday ? parseMicros(maxPerDay) - parseMicros(leftToday.order) : 0n;
  return { perOrderMicros: orderMicros, perDayMicros: orderMicros + usedMicros };
}

/** Whether a permission, as signed, is wide enough. */
export function grantCovers(grant: AccountGrant, need: RequiredLimits): boolean {
  return (
    parseMicros(grant.maxPerOrder) >= need.perOrderMicros &&
    parseMicros(grant.maxPerDay) >= need.perDayMicros
  );
}
