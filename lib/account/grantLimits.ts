import type { AccountGrant, GrantMessage } from '#lib/api/schemas/account.ts';
import { readFields } from '#lib/draft.ts';
import { plainDecimal, typedMicros } from '#lib/format/typed.ts';
import { parseMicros, tryParseMicros } from '#lib/money.ts';

/** What the owner chooses for the permission to trade, as typed. */
export type GrantLimits = {
  maxPerOrder: string;
  maxPerDay: string;
  maxWithdrawPerDay: string;
  withdrawAnywhere: boolean;
  validForDays: number;
};

export const GRANT_DAYS = [1, 7, 30, 90, 365] as const;

export const USUAL_LIMITS: GrantLimits = {
  maxPerOrder: '10000',
  maxPerDay: '50000',
  maxWithdrawPerDay: '10000',
  withdrawAnywhere: true,
  validForDays: 30,
};

/** Limits as they were kept; undefined when these are none. */
export function readLimits(value: unknown): GrantLimits | undefined {
  const texts = readFields(value, ['maxPerOrder', 'maxPerDay', 'maxWithdrawPerDay']);
  if (!texts || typeof value !== 'object' || value === null) return undefined;
  const { withdrawAnywhere, validForDays } = { withdrawAnywhere: true, validForDays: 0, ...value };
  const isOffered = GRANT_DAYS.some((days) => days === validForDays);
  if (typeof withdrawAnywhere !== 'boolean' || !isOffered) return undefined;
  return { ...texts, withdrawAnywhere, validForDays };
}

/** The limits of the permission that holds now, to change from. */
export function limitsOf(grant: AccountGrant | null): GrantLimits {
  if (!grant) return USUAL_LIMITS;
  const typed = (amount: string) => typedMicros(parseMicros(amount));
  return {
    ...USUAL_LIMITS,
    maxPerOrder: typed(grant.maxPerOrder),
    maxPerDay: typed(grant.maxPerDay),
    maxWithdrawPerDay: typed(grant.maxWithdrawPerDay),
    withdrawAnywhere: grant.withdrawAnywhere,
  };
}

/** What is wrong with the limits, in words; undefined when they can be asked for. */
export function limitsProblem(limits: GrantLimits): string | undefined {
  const perOrder = amountOf(limits.maxPerOrder);
  const perDay = amountOf(limits.maxPerDay);
  const withdraw = amountOf(limits.maxWithdrawPerDay);
  if (perOrder === undefined || perDay === undefined || withdraw === undefined) {
    return 'Every limit is a number of dollars, such as 250.';
  }
  if (perOrder === 0n) return 'With nothing per order nothing could be traded.';
  if (perOrder > perDay) return 'A single order cannot be larger than the limit of a day.';
  return undefined;
}

function amountOf(text: string): bigint | undefined {
  return tryParseMicros(plainDecimal(text));
}

const SECONDS_A_DAY = 86_400;

/** The limits as the interface takes them; call it only without a problem. */
export function grantQueryOf(limits: GrantLimits) {
  return {
    maxPerOrder: plainDecimal(limits.maxPerOrder),
    maxPerDay: plainDecimal(limits.maxPerDay),
    maxWithdrawPerDay: plainDecimal(limits.maxWithdrawPerDay),
    withdrawAnywhere: limits.withdrawAnywhere ? ('true' as const) : ('false' as const),
    validForSeconds: limits.validForDays * SECONDS_A_DAY,
  };
}

/**
 * Whether a message to sign says what was chosen, so that nothing wider is ever signed than what
 * the page shows.
 */
export function saysWhatWasChosen(message: GrantMessage, limits: GrantLimits): boolean {
  const asked = grantQueryOf(limits);
  return (
    BigInt(message.maxPerOrder) === parseMicros(asked.maxPerOrder) &&
    BigInt(message.maxPerDay) === parseMicros(asked.maxPerDay) &&
    BigInt(message.maxWithdrawPerDay) === parseMicros(asked.maxWithdrawPerDay) &&
    message.withdrawAnywhere === limits.withdrawAnywhere
  );
}
