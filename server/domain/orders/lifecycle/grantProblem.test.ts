import { describe, expect, test } from 'vitest';
import { NO_SESSION_KEY, secp256k1Key } from '#lib/account/sessionKey.ts';
import type { AccountGrant } from '#server/chain/accountReads.ts';
import { grantProblem } from './grantProblem.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const vault = '0x00000000000000000000000000000000000000A3';
const grant: AccountGrant = {
  operator: vault,
  validUntil: BigInt(NOW.getTime() / 1000 + 3_600),
  withdrawAnywhere: true,
  maxPerOrder: 100n,
  maxPerDay: 1_000n,
  maxWithdrawPerDay: 50n,
  nonce: 0n,
  ...NO_SESSION_KEY,
};
const keyed = { ...grant, ...secp256k1Key(vault) };
const order = (orderUsdcMicros: bigint, isSigned = false) => ({ orderUsdcMicros, isSigned });

describe('grantProblem', () => {
  test.each([
    ['an order within the cap', grant, order(100n), undefined],
    ['no grant', undefined, order(1n), 'grant_required'],
    [
      'another operator',
      { ...grant, operator: '0x00000000000000000000000000000000000000b1' as const },
      order(1n),
      'grant_required',
    ],
    ['an expired grant', { ...grant, validUntil: 1n }, order(1n), 'grant_expired'],
    ['an order beyond the cap', grant, order(101n), 'grant_exceeded'],
    ['an order that the session key has not signed', keyed, order(1n), 'order_not_signed'],
    ['an order that comes with a signature', keyed, order(1n, true), undefined],
    [
      'a withdrawal to the owner beyond the cap',
      grant,
      { withdrawal: 'to_owner' as const },
      undefined,
    ],
    [
      'a withdrawal elsewhere within the cap',
      grant,
      { withdrawal: { elsewhereMicros: 50n } },
      undefined,
    ],
    [
      'a withdrawal elsewhere beyond the cap',
      grant,
      { withdrawal: { elsewhereMicros: 51n } },
      'withdrawal_not_allowed',
    ],
    [
      'a withdrawal elsewhere that is not granted',
      { ...grant, withdrawAnywhere: false },
      { withdrawal: { elsewhereMicros: 1n } },
      'withdrawal_not_allowed',
    ],
  ])('given %s', (_what, given, need, problem) => {
    expect(grantProblem(given, vault, need, NOW)).toBe(problem);
  });
});
