import type { Channel } from '#server/platform/database/schema/notifications.ts';
import type { AttemptResult } from './postMessage.ts';

/** How a channel treats messages that do not arrive. */
export type RetryPolicy = {
  /** Wait before each further attempt, in seconds; when they are used up, the delivery failed. */
  waitSeconds: readonly number[];
  /** A target is given up once nothing has arrived for this long and a delivery has failed. */
  giveUpTargetAfterSeconds: number;
  /** Responses that say that the target no longer exists. */
  goneStatuses: readonly number[];
  /** Responses after which another attempt of this message cannot help. */
  isFinalStatus(statusCode: number): boolean;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Responses in the four hundreds after which another attempt may help. */
const TEMPORARY_STATUSES = [408, 425, 429];

export const RETRY_POLICIES: Record<Channel, RetryPolicy> = {
  /** Nine attempts over about 28 hours. */
  webhook: {
    waitSeconds: [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
    giveUpTargetAfterSeconds: DAY,
    goneStatuses: [410],
    isFinalStatus: () => false,
  },
  /** Seven attempts within half a day, while the message is still news. */
  push: {
    waitSeconds: [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
    giveUpTargetAfterSeconds: 3 * DAY,
    goneStatuses: [404, 410],
    isFinalStatus: (code) => code >= 400 && code < 500 && !TEMPORARY_STATUSES.includes(code),
  },
};

/** Spreads attempts of many deliveries that failed at the same moment. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = HOUR;

export type AttemptOutcome =
  | { status: 'delivered' | 'failed' }
  | { status: 'pending'; waitSeconds: number };

/**
 * What becomes of a delivery after its attempt.
 * @param round which attempt it was since the delivery was made or last replayed, from 1
 */
export function decideOutcome(
  policy: RetryPolicy,
  round: number,
  result: Pick<AttemptResult, 'error' | 'statusCode' | 'retryAfterSeconds'>,
  random: () => number = Math.random,
): AttemptOutcome {
  if (result.error === null) return { status: 'delivered' };
  const wait = policy.waitSeconds[round - 1];
  if (wait === undefined || policy.isFinalStatus(result.statusCode ?? 0)) {
    return { status: 'failed' };
  }
  const requested = Math.min(result.retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return { status: 'pending', waitSeconds: Math.max(wait, requested) * (1 + JITTER * random()) };
}
