import { describe, expect, it } from 'vitest';
import {
  grantQueryOf,
  limitsOf,
  limitsProblem,
  saysWhatWasChosen,
  USUAL_LIMITS,
} from './grantLimits.ts';

const chosen = {
  maxPerOrder: '1,250.5',
  maxPerDay: '5000',
  maxWithdrawPerDay: '0',
  withdrawAnywhere: false,
  validForDays: 7,
};

describe('the limits of a permission', () => {
  it('are asked for as plain numbers', () => {
    expect(grantQueryOf(chosen)).toEqual({
      maxPerOrder: '1250.5',
      maxPerDay: '5000',
      maxWithdrawPerDay: '0',
      withdrawAnywhere: 'false',
      validForSeconds: 604_800,
    });
  });

  it('must make sense together', () => {
    expect(limitsProblem(chosen)).toBeUndefined();
    expect(limitsProblem({ ...chosen, maxPerOrder: '0' })).toContain('nothing');
    expect(limitsProblem({ ...chosen, maxPerOrder: '6000' })).toContain('single order');
    expect(limitsProblem({ ...chosen, maxPerDay: 'lots' })).toContain('number of dollars');
  });

  it('are compared with what is to be signed', () => {
    const message = {
      operator: '0x',
      validUntil: '0',
      nonce: '0',
      withdrawAnywhere: false,
      maxPerOrder: '1250500000',
      maxPerDay: '5000000000',
      maxWithdrawPerDay: '0',
    };
    expect(saysWhatWasChosen(message, chosen)).toBe(true);
    expect(saysWhatWasChosen({ ...message, maxPerDay: '5000000001' }, chosen)).toBe(false);
    expect(saysWhatWasChosen({ ...message, withdrawAnywhere: true }, chosen)).toBe(false);
  });

  it('begin with the usual ones', () => {
    expect(limitsOf(null)).toEqual(USUAL_LIMITS);
  });
});
