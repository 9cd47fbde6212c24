/** When a message that did not arrive is sent again, and when a webhook is given up. */
export type RetrySchedule = {
  /** Wait before each further attempt, in seconds; when they are used up, the delivery failed. */
  waitSeconds: readonly number[];
  /** A webhook is disabled once nothing has arrived for this long and a delivery has failed. */
  disableAfterSeconds: number;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Nine attempts over about 28 hours. */
export const RETRY_SCHEDULE: RetrySchedule = {
  waitSeconds: [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  disableAfterSeconds: 24 * HOUR,
};

/** Spreads attempts of many deliveries that failed at the same moment. */
const JITTER = 0.2;
const MAX_REQUESTED_WAIT_SECONDS = HOUR;

/**
 * Seconds until the next attempt after `attempts` that failed, or undefined when there is none.
 * @param askedSeconds what the target asked for in Retry-After
 */
export function nextWaitSeconds(
  schedule: RetrySchedule,
  attempts: number,
  requestedSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  const wait = schedule.waitSeconds[attempts - 1];
  if (wait === undefined) return undefined;
  const asked = Math.min(requestedSeconds ?? 0, MAX_REQUESTED_WAIT_SECONDS);
  return Math.max(wait, asked) * (1 + JITTER * random());
}
