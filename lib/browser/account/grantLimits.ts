import { type Hex, zeroHash } from 'viem';
import { DEFAULT_LIMITS } from '#lib/account/defaultLimits.ts';
import type { AccountGrant, GrantMessage } from '#lib/api/schemas/account.ts';
import { readFields } from '#lib/browser/storage/draft.ts';
import { readAmountMicros } from '#lib/format/amountInput.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';

/** The limits that an order requires of a permission. */
export type RequiredLimits = { perOrderMicros: bigint; perDayMicros: bigint };

/** The owner's choices for the permission to trade, as typed. */
export type GrantLimits = {
  maxPerOrder: string;
  maxPerDay: string;
  maxWithdrawPerDay: string;
  withdrawAnywhere: boolean;
  /** Whether a device's key must sign each order, this one's first; excludes `withdrawAnywhere`. */
  signsOnDevice: boolean;
  validForDays: number;
};

export const GRANT_DAYS = [1, 7, 30, 90, 365] as const;

export const USUAL_LIMITS: GrantLimits = {
  ...DEFAULT_LIMITS,
  withdrawAnywhere: false,
  signsOnDevice: true,
  validForDays: 30,
};

/** Suggested limits per order, the default in the middle. */
export const LIMIT_PRESETS = [
  { maxPerOrder: '100', maxPerDay: '500' },
  { maxPerOrder: DEFAULT_LIMITS.maxPerOrder, maxPerDay: DEFAULT_LIMITS.maxPerDay },
  { maxPerOrder: '10000', maxPerDay: '50000' },
] as const;

/** The matching suggestion; undefined for custom values. */
export function presetOf(limits: GrantLimits) {
  return LIMIT_PRESETS.find(
    (one) => one.maxPerOrder === limits.maxPerOrder && one.maxPerDay === limits.maxPerDay,
  );
}

/** Limits from storage; undefined when they are invalid. */
export function readLimits(value: unknown): GrantLimits | undefined {
  const texts = readFields(value, ['maxPerOrder', 'maxPerDay', 'maxWithdrawPerDay']);
  if (!texts || typeof value !== 'object' || value === null) return undefined;
  const { withdrawAnywhere, signsOnDevice, validForDays } = {
    withdrawAnywhere: false,
    signsOnDevice: false,
    validForDays: 0,
    ...value,
  };
  const isOffered = GRANT_DAYS.some((days) => days === validForDays);
  if (typeof withdrawAnywhere !== 'boolean' || !isOffered) return undefined;
  if (typeof signsOnDevice !== 'boolean') return undefined;
  return { ...texts, withdrawAnywhere, signsOnDevice, validForDays };
}

/** The limits of the previous permission, even an expired one: a renewal never widens them. */
export function limitsOf(grant: AccountGrant | null): GrantLimits {
  if (!grant) return USUAL_LIMITS;
  const typed = (amount: string) => typedMicros(parseMicros(amount));
  return {
    ...USUAL_LIMITS,
    maxPerOrder: typed(grant.maxPerOrder),
    maxPerDay: typed(grant.maxPerDay),
    withdrawAnywhere: grant.withdrawAnywhere,
    signsOnDevice: grant.sessionKey !== null,
    ...(grant.withdrawAnywhere && { maxWithdrawPerDay: typed(grant.maxWithdrawPerDay) }),
  };
}

/**
 * The limits as amounts; an unreadable amount is missing. Withdrawals to other addresses stay off
 * by default.
 */
export function limitMicros(limits: GrantLimits) {
  const { withdrawAnywhere, maxPerOrder, maxPerDay, maxWithdrawPerDay } = limits;
  return {
    perOrder: readAmountMicros(maxPerOrder),
    perDay: readAmountMicros(maxPerDay),
    withdrawPerDay: withdrawAnywhere ? readAmountMicros(maxWithdrawPerDay) : 0n,
  };
}

/** The problem with the limits, in words; undefined when they are valid. */
export function limitsProblem(limits: GrantLimits): string | undefined {
  const { perOrder, perDay, withdrawPerDay } = limitMicros(limits);
  if (perOrder === undefined || perDay === undefined || withdrawPerDay === undefined) {
    return 'Enter each limit in dollars, such as 250.';
  }
  if (perOrder === 0n) return 'The order limit must be above zero.';
  if (perOrder > perDay) return 'The order limit cannot exceed the daily limit.';
  if (limits.withdrawAnywhere && withdrawPerDay === 0n) {
    return 'Set a daily withdrawal limit above zero, or turn off withdrawals to other addresses.';
  }
  return undefined;
}

export function covers(limits: GrantLimits, need: RequiredLimits): boolean {
  const { perOrder, perDay } = limitMicros(limits);
  return (perOrder ?? 0n) >= need.perOrderMicros && (perDay ?? 0n) >= need.perDayMicros;
}

const SECONDS_A_DAY = 86_400;

/** The limits as the interface takes them; call it only when there is no problem. */
export function grantQueryOf(limits: GrantLimits) {
  const { perOrder = 0n, perDay = 0n, withdrawPerDay = 0n } = limitMicros(limits);
  return {
    maxPerOrder: formatMicros(perOrder),
    maxPerDay: formatMicros(perDay),
    maxWithdrawPerDay: formatMicros(withdrawPerDay),
    withdrawAnywhere: limits.withdrawAnywhere ? ('true' as const) : ('false' as const),
    validForSeconds: limits.validForDays * SECONDS_A_DAY,
  };
}

/** Allows for clock differences. */
const CLOCK_SECONDS = 300;

/**
 * Whether a message to sign matches the choice, so that the owner never signs wider limits than the
 * page shows, or another session key.
 * @param key as the permission names it; undefined for none
 */
export function matchesChosenLimits(
  message: GrantMessage,
  limits: GrantLimits,
  { nowMs, key }: { nowMs: number; key: Hex | undefined },
): boolean {
  const asked = limitMicros(limits);
  const lastSecond = nowMs / 1_000 + limits.validForDays * SECONDS_A_DAY + CLOCK_SECONDS;
  return (
    BigInt(message.maxPerOrder) === asked.perOrder &&
    BigInt(message.maxPerDay) === asked.perDay &&
    BigInt(message.maxWithdrawPerDay) === asked.withdrawPerDay &&
    message.withdrawAnywhere === limits.withdrawAnywhere &&
    message.key.toLowerCase() === (key ?? zeroHash) &&
    Number(message.validUntil) <= lastSecond
  );
}
