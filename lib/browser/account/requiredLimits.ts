import type { AccountGrant } from '#lib/api/schemas/account.ts';
import { parseMicros } from '#lib/money.ts';

/** The limits that an order needs. */
export type RequiredLimits = { perOrderMicros: bigint; perDayMicros: bigint };

/** Of an order under a permission, parts of whose day may be used up. */
export function requiredLimitsOf(grant: AccountGrant, orderMicros: bigint): RequiredLimits {
  const { maxPerDay, leftToday } = grant;
  const usedMicros = leftToday ? parseMicros(maxPerDay) - parseMicros(leftToday.order) : 0n;
  return { perOrderMicros: orderMicros, perDayMicros: orderMicros + usedMicros };
}

/** Whether a permission is wide enough as it was signed. */
export function grantCovers(grant: AccountGrant, need: RequiredLimits): boolean {
  return (
    parseMicros(grant.maxPerOrder) >= need.perOrderMicros &&
    parseMicros(grant.maxPerDay) >= need.perDayMicros
  );
}
