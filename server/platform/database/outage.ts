import { DrizzleQueryError } from 'drizzle-orm/errors';

/**
 * PostgreSQL's codes for a server that is starting, stopping, full or gone (classes 08, 57P and
 * 53300 of its appendix A), or that is a standby since a failover (25006), and the operating
 * system's for one that does not respond. PgBouncer reports a lost or missing server as 08P01.
 */
const OUTAGE_CODES = new Set([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '25006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The driver's own errors, without a code, for a lost or unavailable connection. */
const OUTAGE_TEXT =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** A standby ends reads that would delay what it replays (40001); the driver gives up late ones. */
const CONFLICT_WITH_REPLAY = '40001';
const LATE_TEXT = /^Query read timeout/;

/** Whether a read failed because of the standby that it was sent to: the primary may serve it. */
export function isReplicaFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === CONFLICT_WITH_REPLAY) return true;
    if (LATE_TEXT.test(cause.message)) return true;
  }
  return isDatabaseOutage(error);
}

/**
 * Whether a query failed because the database is unavailable. Such a write may have taken effect:
 * repeat it only if that does no harm.
 */
export function isDatabaseOutage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && OUTAGE_CODES.has(String(cause.code))) return true;
    if (OUTAGE_TEXT.test(cause.message)) return true;
  }
  return false;
}

/** The same of a query alone: calls to chain and exchange fail with some of these codes, too. */
export function isQueryOutage(error: unknown): boolean {
  return error instanceof DrizzleQueryError && isDatabaseOutage(error);
}
