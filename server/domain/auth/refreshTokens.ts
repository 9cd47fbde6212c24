import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A session ends after so long without a renewal, and in any case so long after the sign-in. */
export const IDLE_DAYS = 14;
export const LONGEST_DAYS = 30;

/**
 * How long a replaced token gives its successor once more: the response to its first use may have
 * been lost, and two tabs may renew at the same moment.
 */
export const GRACE_MS = 30_000;

const DAY_MS = 86_400_000;
const SECRET_BYTES = 32;

/** Names its session, so that a stolen older token is recognised without storing every one. */
const REFRESH_TOKEN = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

export function sessionIdOf(refreshToken: string): string | undefined {
  return REFRESH_TOKEN.exec(refreshToken)?.[1];
}

export function newRefreshToken(sessionId: string): string {
  return `${sessionId}.${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export const newRefreshSalt = (): string => randomBytes(SECRET_BYTES).toString('base64url');

export function hashRefreshToken(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex');
}

/**
 * The token that replaces this one. Derived rather than random: a repeated renewal gives the same
 * token although only hashes are stored, and only a holder of the token can derive it.
 */
export function successorOf(sessionId: string, refreshToken: string, salt: string): string {
  const secret = createHmac('sha256', refreshToken).update(salt).digest('base64url');
  return `${sessionId}.${secret}`;
}

/** When a session that is renewed now expires. */
export function renewedExpiry(createdAt: Date, now: Date): Date {
  return new Date(
    Math.min(now.getTime() + IDLE_DAYS * DAY_MS, createdAt.getTime() + LONGEST_DAYS * DAY_MS),
  );
}

export type RefreshState = {
  refreshHash: string | null;
  previousRefreshHash: string | null;
  refreshedAt: Date | null;
  expiresAt: Date;
  endedAt: Date | null;
};

/**
 * `rotate`: the current token; it gets a successor. `repeat`: its predecessor within the grace; it
 * gets the same successor. `reused`: any other token of an active session, which only a copy
 * explains (RFC 9700, 4.14.2). `over`: the session has ended.
 */
export type RefreshDecision = 'rotate' | 'repeat' | 'reused' | 'over';

export function decideRefresh(state: RefreshState, hash: string, now: Date): RefreshDecision {
  if (state.refreshHash === null || state.endedAt !== null || state.expiresAt <= now) return 'over';
  if (hash === state.refreshHash) return 'rotate';
  if (hash !== state.previousRefreshHash || state.refreshedAt === null) return 'reused';
  return now.getTime() - state.refreshedAt.getTime() < GRACE_MS ? 'repeat' : 'reused';
}
