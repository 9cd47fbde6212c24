import { expect, it } from 'vitest';
import {
  decideRefresh,
  GRACE_MS,
  hashRefreshToken,
  newRefreshSalt,
  newRefreshToken,
  type RefreshState,
  renewedExpiry,
  sessionIdOf,
  successorOf,
} from './refreshTokens.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
const after = (ms: number) => new Date(NOW.getTime() + ms);

const LIVING: RefreshState = {
  refreshHash: 'current',
  previousRefreshHash: 'previous',
  refreshedAt: NOW,
  expiresAt: after(DAY_MS),
  endedAt: null,
};

it.each([
  ['the current token', LIVING, 'current', 0, 'rotate'],
  ['the current token after days', LIVING, 'current', DAY_MS - 1, 'rotate'],
  ['the token before it at once', LIVING, 'previous', 0, 'repeat'],
  ['the token before it within the grace', LIVING, 'previous', GRACE_MS - 1, 'repeat'],
  ['the token before it after the grace', LIVING, 'previous', GRACE_MS, 'reused'],
  ['an older token', LIVING, 'older', 0, 'reused'],
  ['an older token before any rotation', { ...LIVING, refreshedAt: null }, 'older', 0, 'reused'],
  ['the current token of an expired session', LIVING, 'current', DAY_MS, 'over'],
  ['an older token of an expired session', LIVING, 'older', DAY_MS, 'over'],
  ['the current token of an ended session', { ...LIVING, endedAt: NOW }, 'current', 0, 'over'],
  ['a session of a program', { ...LIVING, refreshHash: null }, 'current', 0, 'over'],
] as const)('given %s, decides', (_, state, hash, ms, decision) => {
  expect(decideRefresh(state, hash, after(ms))).toBe(decision);
});

it('given daily visits, a session lasts thirty days; given none, fourteen', () => {
  expect(renewedExpiry(NOW, NOW)).toEqual(after(14 * DAY_MS));
  expect(renewedExpiry(NOW, after(10 * DAY_MS))).toEqual(after(24 * DAY_MS));
  expect(renewedExpiry(NOW, after(29 * DAY_MS))).toEqual(after(30 * DAY_MS));
});

it('given the same token and salt, the successor is the same; otherwise it differs', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const token = newRefreshToken(id);
  const salt = newRefreshSalt();
  const next = successorOf(id, token, salt);
  expect(successorOf(id, token, salt)).toBe(next);
  expect(successorOf(id, token, newRefreshSalt())).not.toBe(next);
  expect(successorOf(id, newRefreshToken(id), salt)).not.toBe(next);
  expect([sessionIdOf(token), sessionIdOf(next)]).toEqual([id, id]);
  expect(hashRefreshToken(token)).not.toContain(token.slice(-20));
});

it.each(['', 'x', '11111111-1111-4111-8111-111111111111', `${'1'.repeat(36)}.short`])(
  'given %j, names no session',
  (text) => {
    expect(sessionIdOf(text)).toBeUndefined();
  },
);
