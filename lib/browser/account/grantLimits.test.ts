import { describe, expect, it } from 'vitest';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import {
  covers,
  grantQueryOf,
  limitsOf,
  limitsProblem,
  matchesChosenLimits,
  presetOf,
  readLimits,
  USUAL_LIMITS,
} from './grantLimits.ts';

const chosen = {
  maxPerOrder: '1,250.5',
  maxPerDay: '5000',
  maxWithdrawPerDay: '0',
  withdrawAnywhere: false,
  signsOnDevice: false,
  validForDays: 7,
};

describe('the limits of a permission', () => {
  it('are requested as plain numbers', () => {
    expect(grantQueryOf(chosen)).toEqual({
      maxPerOrder: '1250.5',
      maxPerDay: '5000',
      maxWithdrawPerDay: '0',
      withdrawAnywhere: 'false',
      validForSeconds: 604_800,
    });
  });

  it('must be consistent with each other', () => {
    expect(limitsProblem(chosen)).toBeUndefined();
    expect(limitsProblem({ ...chosen, maxPerOrder: '0' })).toContain('must be above zero');
    expect(limitsProblem({ ...chosen, maxPerOrder: '6000' })).toContain(
      'cannot exceed the daily limit',
    );
    expect(limitsProblem({ ...chosen, maxPerDay: 'lots' })).toContain('in dollars');
  });

  it('are compared with the message to sign', () => {
    const message = {
      operator: '0x',
      validUntil: '0',
      nonce: '0',
      withdrawAnywhere: false,
      maxPerOrder: '1250500000',
      maxPerDay: '5000000000',
      maxWithdrawPerDay: '0',
      ...NO_SESSION_KEY,
    };
    const nowMs = 1_800_000_000_000;
    const says = (change: object) =>
      matchesChosenLimits({ ...message, ...change }, chosen, { nowMs, key: undefined });
    expect(says({})).toBe(true);
    expect(says({ maxPerDay: '5000000001' })).toBe(false);
    expect(says({ withdrawAnywhere: true })).toBe(false);
    expect(says({ maxWithdrawPerDay: '1' })).toBe(false);
    expect(says({ keyKind: 1, key: `0x${'11'.repeat(32)}` })).toBe(false);
    // The maximum is exactly one week.
    expect(says({ validUntil: `${1_800_000_000 + 7 * 86_400}` })).toBe(true);
    expect(says({ validUntil: `${1_800_000_000 + 8 * 86_400}` })).toBe(false);
  });

  it('default to moderate amounts and withdrawals to the owner only', () => {
    expect(limitsOf(null)).toEqual(USUAL_LIMITS);
    expect(grantQueryOf(USUAL_LIMITS)).toMatchObject({
      maxPerOrder: '1000',
      maxPerDay: '5000',
      maxWithdrawPerDay: '0',
      withdrawAnywhere: 'false',
    });
    expect(presetOf(USUAL_LIMITS)).toBeDefined();
  });

  it('given a stored choice without other addresses, allow none', () => {
    const { withdrawAnywhere: _, ...kept } = chosen;
    expect(readLimits(kept)).toEqual({ ...chosen, withdrawAnywhere: false });
  });

  it('need a cap for withdrawals to other addresses', () => {
    const open = { ...USUAL_LIMITS, withdrawAnywhere: true };
    expect(grantQueryOf(open)).toMatchObject({ maxWithdrawPerDay: '500' });
    expect(limitsProblem({ ...open, maxWithdrawPerDay: '0' })).toContain('above zero');
  });

  const grant = {
    operator: '0x',
    validUntil: '2026-11-21T05:00:00.000Z',
    nonce: '1',
    sessionKey: null,
    status: 'active' as const,
    maxPerOrder: '25',
    maxPerDay: '100',
    maxWithdrawPerDay: '0',
    withdrawAnywhere: false,
  };

  it('stay the same when a permission is renewed', () => {
    expect(limitsOf(grant)).toMatchObject({
      maxPerOrder: '25',
      maxPerDay: '100',
      withdrawAnywhere: false,
    });
    const open = { ...grant, withdrawAnywhere: true, maxWithdrawPerDay: '7.5' };
    expect(limitsOf(open)).toMatchObject({ withdrawAnywhere: true, maxWithdrawPerDay: '7.5' });
    const signed = { ...grant, sessionKey: { kind: 'p256' as const, key: `0x${'11'.repeat(32)}` } };
    expect(limitsOf(signed).signsOnDevice).toBe(true);
    const ofProgram = { kind: 'secp256k1' as const, key: `0x${'11'.repeat(20)}` };
    expect(limitsOf({ ...grant, sessionKey: ofProgram }).signsOnDevice).toBe(true);
    expect(limitsOf(grant).signsOnDevice).toBe(false);
  });

  it('let a first permission name a key of this device', () => {
    expect(limitsOf(null)).toMatchObject({ signsOnDevice: true, withdrawAnywhere: false });
  });

  it('cover an order only within both limits', () => {
    const limits = limitsOf(grant);
    const need = { perOrderMicros: 25_000_000n, perDayMicros: 100_000_000n };
    expect(covers(limits, need)).toBe(true);
    expect(covers(limits, { ...need, perOrderMicros: 25_000_001n })).toBe(false);
    expect(covers(limits, { ...need, perDayMicros: 100_000_001n })).toBe(false);
  });
});
